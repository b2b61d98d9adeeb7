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
#elif SPELLING == 3
static void search(int no_of_nodes, int *first, int *edge, int *cost, int *updating)
{
    int edges = no_of_nodes * DEGREE, stop, k = 0;
#pragma acc data present(first[0:no_of_nodes + 1], edge[0:edges], cost[0:no_of_nodes], updating[0:no_of_nodes])
    {
#pragma acc kernels
        for (int i = 0; i < no_of_nodes; i++) {
            cost[i] = -1;
            updating[i] = 0;
        }
#pragma acc serial
        cost[0] = 0;
        do {
            stop = 0;
#pragma acc parallel loop gang vector
            for (int tid = 0; tid < no_of_nodes; tid++) {
                if (cost[tid] == k) {
                    for (int i = first[tid]; i < first[tid + 1]; i++) {
                        int id = edge[i];
                        if (cost[id] < 0) {
#pragma acc atomic write
                            updating[id] = 1;
                        }
                    }
                }
            }
#pragma acc parallel loop gang vector copy(stop)
            for (int tid = 0; tid < no_of_nodes; tid++) {
                if (updating[tid] == 1) {
                    cost[tid] = k + 1;
                    updating[tid] = 0;
#pragma acc atomic write
                    stop = 1;
                }
            }
            k++;
        } while (stop);
    }
}
#elif SPELLING == 4
static void search(long n, const int *restrict offsets, const int *restrict targets, int *restrict depth, int *restrict seen)
{
    const long m = n * DEGREE;
#pragma acc parallel loop present(depth[0:n], seen[0:n])
    for (long v = 0; v < n; v++)
        depth[v] = v ? -1 : 0, seen[v] = 0;
    int more = 1;
    for (int d = 0; more; d++) {
        more = 0;
#pragma acc parallel loop gang worker vector_length(8) present(offsets[0:n + 1], targets[0:m], depth[0:n], seen[0:n])
        for (long v = 0; v < n; v++) {
            if (depth[v] != d)
                continue;
            const int from = offsets[v], to = offsets[v + 1];
#pragma acc loop vector
            for (int e = from; e < to; e++)
                if (depth[targets[e]] == -1) {
#pragma acc atomic write
                    seen[targets[e]] = 1;
                }
        }
#pragma acc parallel loop reduction(|| : more) present(depth[0:n], seen[0:n])
        for (long v = 0; v < n; v++) {
            const int new_one = seen[v];
            if (new_one)
                depth[v] = d + 1;
            seen[v] = 0;
            more = more || new_one;
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
