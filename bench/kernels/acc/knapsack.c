// Dynamic programming: the best value for each of 2^17 capacities from 200 items, a launch for each item.
#include "../kernels.h"

enum { CAPACITIES = 1 << 17, ITEMS = 200 };

#define WEIGHT(item) (1 + (int)(mix(item) % 1000))
#define VALUE(item) (1 + (int)(mix(item + 4096) % 500))

#if SPELLING == 1
static void fill(int n, int *restrict best, int *restrict next)
{
#pragma acc parallel loop async present(best[0:n])
#pragma omp parallel for simd
    for (int c = 0; c < n; c++)
        best[c] = 0;
    for (int item = 0; item < ITEMS; item++) {
        int weight = WEIGHT(item), value = VALUE(item);
#pragma acc parallel loop async present(best[0:n], next[0:n])
#pragma omp parallel for simd
        for (int c = 0; c < n; c++) {
            int without = best[c], with = c >= weight ? best[c - weight] + value : 0;
            next[c] = with > without ? with : without;
        }
        int *swap = best;
        best = next, next = swap;
    }
#pragma acc wait
}
#else
struct item {
    size_t weight;
    int value;
};

static void fill(size_t n, int *a, int *b)
{
#pragma acc kernels loop independent async(3) present(a[0:n])
#pragma omp parallel for simd
    for (size_t c = 0; c < n; c++)
        a[c] = 0;
    for (unsigned i = 0; i < ITEMS; i++) {
        struct item it = {WEIGHT(i), VALUE(i)};
        int *best = i % 2 == 0 ? a : b, *next = i % 2 == 0 ? b : a;
#pragma acc parallel loop gang vector vector_length(256) firstprivate(it) async(3) \
    present(best[0:n], next[0:n])
#pragma omp parallel for simd
        for (size_t c = 0; c < n; c++) {
            next[c] = best[c];
            if (c >= it.weight && best[c - it.weight] + it.value > best[c])
                next[c] = best[c - it.weight] + it.value;
        }
    }
#pragma acc wait(3)
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CAPACITIES >> args.shift, *best = NEW(int, n), *next = NEW(int, n);
    double sum = 0;
#pragma acc enter data create(best[0:n], next[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        fill(n, best, next);
    // After an even number of items the values are where they began.
#pragma acc update self(best[0:n])
    SUM(sum, best, n);
    report("knapsack", t.best, sum);
    return 0;
}
