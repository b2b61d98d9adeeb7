// Bitonic sorting of 2^18 ints: a launch for each of the 171 rounds of comparisons, a thread a pair.
#include "kernels.cuh"

__global__ void exchange(int n, int size, int stride, int *a)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n / 2)
        return;
    int low = 2 * p - (p & (stride - 1)), high = low + stride, x = a[low], y = a[high];
    if ((x > y) == !(low & size)) {
        a[low] = y;
        a[high] = x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, *in = NEW(int, n), *a = NEW(int, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        in[i] = (int)(mix(i) & 0xfffff);
    int *din = on_device(in, n), *da = device<int>(n);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(da, din, n * sizeof(int), cudaMemcpyDeviceToDevice));
        for (int size = 2; size <= n; size *= 2)
            for (int stride = size / 2; stride > 0; stride /= 2)
                exchange<<<ceiling(n / 2, 256), 256>>>(n, size, stride, da);
    });
    to_host(a, da, n);
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (1 + i % 1000);
    report("bitonic", best, sum);
    return 0;
}
