// A matrix of blocks of 16 x 16 floats, 8 to 39 in each of 1024 rows of blocks, times a dense matrix of 256 columns: a thread block takes a row
// of blocks and 128 columns, each of its 128 threads a column pair and eight rows, with the block and its part of the dense matrix in shared
// memory.
#include "kernels.cuh"

constexpr int ROWS = 1024, BLOCK = 16, COLUMNS = 256, TILE = 128, THREADS = 128;

__global__ void __launch_bounds__(THREADS) multiply(const int *__restrict__ start, const int *__restrict__ place,
                                                    const float *__restrict__ values, const float *__restrict__ b, float *__restrict__ c)
{
    __shared__ __align__(16) float v[BLOCK][BLOCK + 4], x[BLOCK][TILE];
    int row = blockIdx.y, column = blockIdx.x * TILE, lane = threadIdx.x % 64, low = threadIdx.x / 64 * 8;
    float2 sum[8] = {};
    for (int k = start[row]; k < start[row + 1]; k++) {
        const float *from = values + (size_t)k * BLOCK * BLOCK;
        const float *panel = b + (size_t)place[k] * BLOCK * COLUMNS + column;
        __syncthreads();
        for (int e = threadIdx.x; e < BLOCK * BLOCK; e += THREADS)
            v[e % BLOCK][e / BLOCK] = from[e];
        for (int e = threadIdx.x; e < BLOCK * TILE / 4; e += THREADS)
            reinterpret_cast<float4 *>(x[e / (TILE / 4)])[e % (TILE / 4)] =
                *reinterpret_cast<const float4 *>(panel + e / (TILE / 4) * COLUMNS + e % (TILE / 4) * 4);
        __syncthreads();
#pragma unroll
        for (int s = 0; s < BLOCK; s++) {
            float2 xs = reinterpret_cast<const float2 *>(x[s])[lane];
            float4 a = *reinterpret_cast<const float4 *>(&v[s][low]), d = *reinterpret_cast<const float4 *>(&v[s][low + 4]);
            float vs[8] = {a.x, a.y, a.z, a.w, d.x, d.y, d.z, d.w};
#pragma unroll
            for (int r = 0; r < 8; r++) {
                sum[r].x += vs[r] * xs.x;
                sum[r].y += vs[r] * xs.y;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
        reinterpret_cast<float2 *>(c + ((size_t)row * BLOCK + low + r) * COLUMNS + column)[lane] = sum[r];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * BLOCK * COLUMNS, *start = NEW(int, rows + 1), blocks;
    start[0] = 0;
    for (int row = 0; row < rows; row++)
        start[row + 1] = start[row] + 8 + mix(row) % 32;
    blocks = start[rows];
    int *place = NEW(int, blocks);
    float *values = NEW(float, blocks * BLOCK * BLOCK), *b = NEW(float, all), *c = NEW(float, all);
    double sum = 0;
    for (int row = 0; row < rows; row++)
        for (int k = start[row]; k < start[row + 1]; k++) {
            int many = start[row + 1] - start[row], at = k - start[row];
            place[k] = (at * rows + mix(k) % rows) / many;
        }
    for (int k = 0; k < blocks * BLOCK * BLOCK; k++)
        values[k] = number(k) - 0.4;
    FILL(b, all, 1);
    int *dstart = on_device(start, rows + 1), *dplace = on_device(place, blocks);
    float *dvalues = on_device(values, blocks * BLOCK * BLOCK), *db = on_device(b, all), *dc = device<float>(all);
    double best = fastest(args.repeats, [&] { multiply<<<dim3(COLUMNS / TILE, rows), THREADS>>>(dstart, dplace, dvalues, db, dc); });
    to_host(c, dc, all);
    for (int k = 0; k < all; k++)
        sum += fabsf(c[k]);
    report("bsr", best, sum);
    return 0;
}
