// The cheapest way down a grid of 100 × 2^20 weights: each row from the one above, a launch for each.
#include "kernels.cuh"

constexpr int ROWS = 100;

__global__ void row(int n, const int *__restrict__ wall, const int *__restrict__ cost, int *__restrict__ next)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    int best = cost[j];
    if (j > 0)
        best = min(best, cost[j - 1]);
    if (j < n - 1)
        best = min(best, cost[j + 1]);
    next[j] = wall[j] + best;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, *wall = NEW(int, n *ROWS), *next = NEW(int, n);
    double sum = 0;
    FILL(wall, n * ROWS, 10);
    int *dwall = on_device(wall, n * ROWS), *cost[2] = {device<int>(n), device<int>(n)};
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(cost[0], dwall, n * sizeof(int), cudaMemcpyDeviceToDevice));
        for (int r = 1; r < ROWS; r++)
            row<<<ceiling(n, 256), 256>>>(n, dwall + (size_t)r * n, cost[(r - 1) % 2], cost[r % 2]);
    });
    to_host(next, cost[(ROWS - 1) % 2], n);
    SUM(sum, next, n);
    report("pathfinder", best, sum);
    return 0;
}
