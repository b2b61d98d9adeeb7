// Placements of 14 queens, 32-bit integers: each thread takes the queens of the first four rows from its number and goes
// through those of the others by backtracking, with a stack of its own; a block adds up by shuffles, then atomically.
#include "kernels.cuh"

constexpr int QUEENS = 14, FIXED = 4;

__global__ void placements(int n, int queens, unsigned long long *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = (1 << queens) - 1, count = 0;
    int columns = 0, left = 0, right = 0, rest = i;
    bool valid = i < n;
    for (int row = 0; row < FIXED; row++, rest /= queens) {
        int bit = 1 << rest % queens;
        if ((columns | left | right) & bit)
            valid = false;
        columns |= bit, left = (left | bit) << 1, right = (right | bit) >> 1;
    }
    if (valid) {
        int open[QUEENS], c[QUEENS], l[QUEENS], r[QUEENS], row = 0;
        c[0] = columns, l[0] = left, r[0] = right, open[0] = all & ~(columns | left | right);
        while (row >= 0) {
            if (open[row] == 0) {
                row--;
                continue;
            }
            int bit = open[row] & -open[row];
            open[row] ^= bit;
            if (row + 1 == queens - FIXED) {
                count++;
                continue;
            }
            c[row + 1] = c[row] | bit, l[row + 1] = (l[row] | bit) << 1, r[row + 1] = (r[row] | bit) >> 1;
            row++;
            open[row] = all & ~(c[row] | l[row] | r[row]);
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        count += __shfl_down_sync(~0u, count, lanes);
    if (threadIdx.x % 32 == 0 && count)
        atomicAdd(total, (unsigned long long)count);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int queens = QUEENS - args.shift / 2, n = queens * queens * queens * queens;
    unsigned long long *dtotal = device<unsigned long long>(1), total = 0;
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof total));
        placements<<<ceiling(n, 128), 128>>>(n, queens, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof total, cudaMemcpyDeviceToHost));
    });
    report("queens", best, (double)total);
    return 0;
}
