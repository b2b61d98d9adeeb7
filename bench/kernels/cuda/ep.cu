// Pairs of uniform deviates from a congruential generator of 46 bits, 4096 streams of 512, that become normal deviates: their sums, and
// how many fall into each of ten square rings; a thread a stream, sums and rings of a block in shared memory.
#include "kernels.cuh"

constexpr int RINGS = 10;

__global__ void deviates(int streams, int pairs, const double *__restrict__ seed, double *__restrict__ out)
{
    __shared__ double total[RINGS + 2];
    if (threadIdx.x < RINGS + 2)
        total[threadIdx.x] = 0;
    __syncthreads();
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    double sx = 0, sy = 0;
    if (s < streams) {
        unsigned long long x = (unsigned long long)seed[s], mask = (1ull << 46) - 1;
        for (int k = 0; k < pairs; k++) {
            x = x * 1220703125ull & mask;
            double u = 2 * (x * (1.0 / 70368744177664.0)) - 1;
            x = x * 1220703125ull & mask;
            double v = 2 * (x * (1.0 / 70368744177664.0)) - 1, t = u * u + v * v;
            if (t <= 1) {
                double f = sqrt(-2 * log(t) / t), a = u * f, b = v * f;
                atomicAdd(&total[(int)fmax(fabs(a), fabs(b))], 1.0);
                sx += a;
                sy += b;
            }
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        sx += __shfl_down_sync(0xffffffff, sx, d);
        sy += __shfl_down_sync(0xffffffff, sy, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&total[RINGS], sx);
        atomicAdd(&total[RINGS + 1], sy);
    }
    __syncthreads();
    if (threadIdx.x < RINGS + 2)
        atomicAdd(&out[threadIdx.x], total[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int streams = 4096 >> args.shift;
    double *seed = NEW(double, streams), out[RINGS + 2], sum = 0;
    for (int s = 0; s < streams; s++)
        seed[s] = (double)((271828183ull + 2654435761ull * s * 65539) & ((1ull << 46) - 1));
    double *dseed = on_device(seed, streams), *dout = device<double>(RINGS + 2);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dout, 0, sizeof out));
        deviates<<<ceiling(streams, 64), 64>>>(streams, 512, dseed, dout);
        CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    });
    for (int k = 0; k < RINGS; k++)
        sum += out[k] * (k + 1);
    report("ep", best, sum + fabs(out[RINGS]) + fabs(out[RINGS + 1]));
    return 0;
}
