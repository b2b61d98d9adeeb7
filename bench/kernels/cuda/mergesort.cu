// 2^20 keys of 32 bits in order by merging: runs of 1024 in shared memory, then ten launches in which a thread finds its key's place by bisection.
#include "kernels.cuh"

enum { KEYS = 1 << 20, RUN = 32 };

constexpr int BLOCK = 1024;

__device__ int place(const unsigned *a, int i, int width)
{
    int mine = i / width, odd = mine % 2, begin = odd ? (mine - 1) * width : (mine + 1) * width, low = begin, high = begin + width;
    unsigned key = a[i];
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < key || (odd && a[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    return mine / 2 * 2 * width + (i - mine * width) + (low - begin);
}

__global__ void __launch_bounds__(BLOCK) in_block(const unsigned *__restrict__ keys, unsigned *__restrict__ a)
{
    __shared__ unsigned run[2][BLOCK];
    int i = threadIdx.x, from = 0;
    run[0][i] = keys[blockIdx.x * BLOCK + i];
    __syncthreads();
    for (int width = 1; width < BLOCK; width *= 2) {
        run[!from][place(run[from], i, width)] = run[from][i];
        from = !from;
        __syncthreads();
    }
    a[blockIdx.x * BLOCK + i] = run[from][i];
}

__global__ void merge(int n, int width, const unsigned *__restrict__ a, unsigned *__restrict__ b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[place(a, i, width)] = a[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = KEYS >> args.shift;
    unsigned *keys = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < n; k++)
        keys[k] = mix(k) ^ mix(k / 3 + 77);
    unsigned *dkeys = on_device(keys, n), *buffers[2] = {device<unsigned>(n), device<unsigned>(n)};
    int from = 0;
    double best = fastest(args.repeats, [&] {
        from = 0;
        in_block<<<n / BLOCK, BLOCK>>>(dkeys, buffers[0]);
        for (int width = BLOCK; width < n; width *= 2, from = !from)
            merge<<<ceiling(n, 256), 256>>>(n, width, buffers[from], buffers[!from]);
    });
    to_host(keys, buffers[from], n);
    for (int k = 0; k < n; k++)
        sum += (double)keys[k] * (k % 1021 + 1);
    report("mergesort", best, sum);
    return 0;
}
