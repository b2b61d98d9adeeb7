// Breadth-first search, 2^18 nodes with 8 edges each: for each level a sweep over all nodes that marks what is next, and one
// that takes over the marks, until there are none.
#include "../kernels.h"

enum { NODES = 1 << 18, DEGREE = 8 };

#if SPELLING == 1
static void search(int n, const int *restrict first, const int *restrict edge, int *restrict level, int *restrict mark)
{
#pragma acc parallel loop present(level[0:n], mark[0:n])
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        level[i] = i == 0 ? 0 : -1;
        mark[i] = 0;
    }
    int reached = 1;
    for (int now = 0; reached; now++) {
        reached = 0;
#pragma acc parallel loop present(first[0:n + 1], edge[0:n * DEGREE], level[0:n], mark[0:n])
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (level[i] == now)
                for (int e = first[i]; e < first[i + 1]; e++)
                    if (level[edge[e]] < 0) {
#pragma acc atomic write
#pragma omp atomic write
                        mark[edge[e]] = 1;
                    }
#pragma acc parallel loop reduction(| : reached) present(level[0:n], mark[0:n])
#pragma omp parallel for reduction(| : reached)
        for (int i = 0; i < n; i++)
            if (mark[i]) {
                mark[i] = 0;
                level[i] = now + 1;
                reached = 1;
            }
    }
}
#else
struct node {
    int first, last;
};

static void search(unsigned n, int *first, int *edge, int *level, int *mark)
{
#pragma acc kernels present(level[0:n], mark[0:n])
    {
#pragma acc loop independent
#pragma omp parallel for simd
        for (unsigned i = 0; i < n; i++)
            level[i] = -1, mark[i] = 0;
        level[0] = 0;
    }
    unsigned reached;
    int now = 0;
    do {
        reached = 0;
#pragma acc parallel loop gang vector present(first[0:n + 1], edge[0:n * DEGREE], level[0:n], mark[0:n])
#pragma omp parallel for
        for (unsigned i = 0; i < n; i++) {
            if (level[i] != now)
                continue;
            struct node v = {first[i], first[i + 1]};
            const int *p = edge + v.first;
            while (p != edge + v.last) {
                int to = *p++;
                if (level[to] == -1) {
#pragma acc atomic write
#pragma omp atomic write
                    mark[to] = 1;
                }
            }
        }
        now++;
#pragma acc parallel loop gang vector reduction(+ : reached) present(level[0:n], mark[0:n])
#pragma omp parallel for reduction(+ : reached)
        for (unsigned i = 0; i < n; i++) {
            if (!mark[i])
                continue;
            level[i] = now;
            reached += mark[i];
            mark[i] = 0;
        }
    } while (reached > 0);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = NODES >> args.shift, edges = n * DEGREE;
    int *first = NEW(int, n + 1), *edge = NEW(int, edges), *level = NEW(int, n), *mark = NEW(int, n);
    double sum = 0;
    for (int i = 0; i <= n; i++)
        first[i] = i * DEGREE;
    for (int e = 0; e < edges; e++)
        edge[e] = (int)(mix(e) % n);
#pragma acc enter data copyin(first[0:n + 1], edge[0:edges]) create(level[0:n], mark[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        search(n, first, edge, level, mark);
#pragma acc update self(level[0:n])
    SUM(sum, level, n);
    report("bfs", t.best, sum);
    return 0;
}
