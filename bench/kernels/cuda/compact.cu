// Of 2^22 records the keys between two bounds, in any order: places by an atomic counter that a warp steps once, and a total.
#include "kernels.cuh"

__global__ void select_keys(int n, const float *__restrict__ key, float low, float high, float *__restrict__ out, int *found,
                            double *total)
{
    double sum = 0;
    int lane = threadIdx.x % 32;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        float x = key[k];
        bool taken = x >= low && x < high;
        unsigned mask = __ballot_sync(__activemask(), taken);
        if (taken) {
            int first = __ffs(mask) - 1, at = 0;
            if (lane == first)
                at = atomicAdd(found, __popc(mask));
            at = __shfl_sync(mask, at, first) + __popc(mask & ((1u << lane) - 1));
            out[at] = x;
            sum += x;
        }
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    __shared__ double block;
    if (threadIdx.x == 0)
        block = 0;
    __syncthreads();
    if (lane == 0)
        atomicAdd(&block, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, block);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 22) >> args.shift, found = 0;
    float *key = NEW(float, n), *out = NEW(float, n);
    double sum = 0, total = 0;
    FILL(key, n, 1);
    float *dkey = on_device(key, n), *dout = device<float>(n);
    int *dfound = device<int>(1);
    double *dtotal = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dfound, 0, sizeof(int)));
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(double)));
        select_keys<<<132 * 8, 256>>>(n, dkey, 0.25f, 0.5f, dout, dfound, dtotal);
        CHECK(cudaMemcpy(&found, dfound, sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&total, dtotal, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(out, dout, n);
    SUM(sum, out, found);
    report("compact", best, sum + total + found);
    return 0;
}
