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
#elif SPELLING == 3
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
static void walk(int cols, int *data, int *cost, int *next)
{
    int(*wall)[cols] = (int(*)[cols])data;
    int *src = next, *dst = cost;
#pragma acc parallel loop present(wall[0:ROWS], dst[0:cols]) async(1)
    for (int x = 0; x < cols; x++)
        dst[x] = wall[0][x];
    for (int t = 0; t < ROWS - 1; t++) {
        int *temp = src;
        src = dst;
        dst = temp;
#pragma acc parallel loop gang vector present(wall[0:ROWS], src[0:cols], dst[0:cols]) async(1)
        for (int x = 0; x < cols; x++) {
            int left = x == 0 ? 0 : x - 1, right = x == cols - 1 ? cols - 1 : x + 1;
            int least = MIN(MIN(src[left], src[x]), src[right]);
            dst[x] = wall[t + 1][x] + least;
        }
    }
#pragma acc wait(1)
}
#elif SPELLING == 4
static void one_row(size_t n, const int *row, size_t r, const int *restrict from, int *restrict to)
{
#pragma acc parallel loop default(present) async
    for (size_t j = 1; j < n - 1; j++) {
        int m = from[j];
        if (from[j - 1] < m)
            m = from[j - 1];
        if (from[j + 1] < m)
            m = from[j + 1];
        to[j] = m + row[r * n + j];
    }
#pragma acc serial default(present) async
    {
        to[0] = row[r * n] + (from[0] < from[1] ? from[0] : from[1]);
        to[n - 1] = row[r * n + n - 1] + (from[n - 1] < from[n - 2] ? from[n - 1] : from[n - 2]);
    }
}
static void walk(size_t n, const int *wall, int *cost, int *next)
{
#pragma acc parallel loop default(present) async
    for (size_t j = 0; j < n; j++)
        cost[j] = wall[j];
    for (size_t r = 1; r < ROWS; r++)
        if (r % 2)
            one_row(n, wall, r, cost, next);
        else
            one_row(n, wall, r, next, cost);
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
