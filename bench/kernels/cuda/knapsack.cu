// Dynamic programming: the best value for each of 2^17 capacities from 200 items, a launch for each item.
#include "kernels.cuh"

constexpr int ITEMS = 200;

#define WEIGHT(item) (1 + (int)(mix(item) % 1000))
#define VALUE(item) (1 + (int)(mix(item + 4096) % 500))

__global__ void take(int n, int weight, int value, const int *__restrict__ best, int *__restrict__ next)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < n)
        next[c] = max(best[c], c >= weight ? best[c - weight] + value : 0);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 17) >> args.shift, *result = NEW(int, n), *table[2] = {device<int>(n), device<int>(n)};
    double sum = 0;
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(table[0], 0, n * sizeof(int)));
        for (int item = 0; item < ITEMS; item++)
            take<<<ceiling(n, 256), 256>>>(n, WEIGHT(item), VALUE(item), table[item % 2], table[1 - item % 2]);
    });
    to_host(result, table[ITEMS % 2], n);
    SUM(sum, result, n);
    report("knapsack", best, sum);
    return 0;
}
