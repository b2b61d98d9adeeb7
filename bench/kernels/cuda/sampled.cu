// A sampled product of dense matrices: for each of about 2^19 entries of a sparse matrix of 2^15 rows, its value times the product of a row of 64
// floats of A and one of B; a warp a row of the matrix, which keeps its row of A in registers, two numbers a lane.
#include "kernels.cuh"

constexpr int ROWS = 1 << 15, DEPTH = 64, BLOCK = 128;

__global__ void sampled(int n, const int *__restrict__ first, const int *__restrict__ column, const float *__restrict__ value,
                        const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, double *__restrict__ squares)
{
    __shared__ double part[BLOCK / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = blockIdx.x * (BLOCK / 32) + warp;
    double mine = 0;
    if (i < n) {
        float2 u = reinterpret_cast<const float2 *>(a + i * DEPTH)[lane];
        int end = first[i + 1];
        for (int e = first[i]; e < end; e++) {
            float2 v = reinterpret_cast<const float2 *>(b + column[e] * DEPTH)[lane];
            float dot = u.x * v.x + u.y * v.y;
#pragma unroll
            for (int d = 16; d > 0; d /= 2)
                dot += __shfl_down_sync(~0u, dot, d);
            if (lane == 0) {
                float r = value[e] * dot;
                out[e] = r;
                mine += r * r;
            }
        }
    }
    if (lane == 0)
        part[warp] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(squares, part[0] + part[1] + part[2] + part[3]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, entries = 0, *first = NEW(int, n + 1);
    for (int i = 0; i < n; i++) {
        first[i] = entries;
        entries += 1 + mix(i + 3) % 31;
    }
    first[n] = entries;
    int *column = NEW(int, entries);
    float *value = NEW(float, entries), *a = NEW(float, n * DEPTH), *b = NEW(float, n * DEPTH), *out = NEW(float, entries);
    double sum = 0, *squares = pinned<double>();
    for (int e = 0; e < entries; e++)
        column[e] = mix(e + 99) % n;
    FILL(value, entries, 1);
    FILL(a, n * DEPTH, 1);
    for (int k = 0; k < n * DEPTH; k++)
        b[k] = number(k + 4321) - 0.25;
    int *dfirst = on_device(first, n + 1), *dcolumn = on_device(column, entries);
    float *dvalue = on_device(value, entries), *da = on_device(a, n * DEPTH), *db = on_device(b, n * DEPTH), *dout = device<float>(entries);
    double *dsquares = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dsquares, 0, sizeof(double)));
        sampled<<<ceiling(n, BLOCK / 32), BLOCK>>>(n, dfirst, dcolumn, dvalue, da, db, dout, dsquares);
        CHECK(cudaMemcpyAsync(squares, dsquares, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(out, dout, entries);
    for (int e = 0; e < entries; e++)
        sum += out[e] * (1 + e % 3);
    report("sampled", best, sum + *squares);
    return 0;
}
