// The cheapest way down a grid of 100 × 2^20 weights: each row from the one above, a launch for each.
#include "../kernels.h"

enum { COLUMNS = 1 << 20, ROWS = 100 };

#if SPELLING == 1
static int min(int a, int b) { return a < b ? a : b; }

static void walk(int n, const int *restrict wall, int *restrict cost, int *restrict next)
{
#pragma acc parallel loop async present(wall[0:n * ROWS], cost[0:n])
#pragma omp parallel for simd
    for (int j = 0; j < n; j++)
        cost[j] = wall[j];
    for (int r = 1; r < ROWS; r++) {
#pragma acc parallel loop async present(wall[0:n * ROWS], cost[0:n], next[0:n])
#pragma omp parallel for simd
        for (int j = 0; j < n; j++) {
            int best = cost[j];
            if (j > 0)
                best = min(best, cost[j - 1]);
            if (j < n - 1)
                best = min(best, cost[j + 1]);
            next[j] = wall[r * n + j] + best;
        }
        int *swap = cost;
        cost = next, next = swap;
    }
#pragma acc wait
}
#else
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

static void walk(long n, int *flat, int *cost, int *next)
{
    int(*wall)[n] = (int(*)[n])flat;
#pragma acc kernels loop independent async(1) present(wall[0:ROWS][0:n], cost[0:n])
#pragma omp parallel for simd
    for (long j = 0; j < n; j++)
        cost[j] = wall[0][j];
    for (long r = 1; r < ROWS; r++) {
        int *from = r % 2 ? cost : next, *to = r % 2 ? next : cost;
#pragma acc kernels loop independent async(1) present(wall[0:ROWS][0:n], from[0:n], to[0:n])
#pragma omp parallel for simd
        for (long j = 0; j < n; j++) {
            long left = j == 0 ? 0 : j - 1, right = j == n - 1 ? j : j + 1;
            to[j] = wall[r][j] + MIN(MIN(from[left], from[j]), from[right]);
        }
    }
#pragma acc wait(1)
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, *wall = NEW(int, n *ROWS), *cost = NEW(int, n), *next = NEW(int, n);
    double sum = 0;
    FILL(wall, n * ROWS, 10);
#pragma acc enter data copyin(wall[0:n * ROWS]) create(cost[0:n], next[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        walk(n, wall, cost, next);
    // 99 rows: the last one is in `next`.
#pragma acc update self(next[0:n])
    SUM(sum, next, n);
    report("pathfinder", t.best, sum);
    return 0;
}
