// Shortest ways from a vertex to all of a graph of 2^18 vertices with 1 to 31 incoming edges each (Bellman and Ford), int: in each round every vertex
// takes the least of what its predecessors had in the round before, until nothing changes.
#include "../kernels.h"

enum { VERTICES = 1 << 18, FAR = 1 << 29 };

#if SPELLING == 1
static int *shortest(int n, int edges, const int *restrict start, const int *restrict from, const int *restrict weight, int *restrict old, int *restrict now,
                     int *rounds)
{
    int changed = 1;
    *rounds = 0;
#pragma acc data present(start[0:n + 1], from[0:edges], weight[0:edges], old[0:n], now[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            old[v] = v == 0 ? 0 : FAR;
        while (changed) {
            changed = 0;
#pragma acc parallel loop reduction(|| : changed)
#pragma omp parallel for reduction(|| : changed)
            for (int v = 0; v < n; v++) {
                int least = old[v];
                for (int e = start[v]; e < start[v + 1]; e++) {
                    int d = old[from[e]] + weight[e];
                    if (d < least)
                        least = d;
                }
                now[v] = least;
                changed = changed || least < old[v];
            }
            int *swap = old;
            old = now;
            now = swap;
            ++*rounds;
        }
    }
    return old;
}
#else
typedef struct { int from, weight; } edge;
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int *shortest(unsigned n, unsigned edges, unsigned *start, edge *edge_, int *old, int *now, int *rounds)
{
    unsigned changed;
    *rounds = 0;
#pragma acc kernels loop present(old[0:n])
    for (unsigned v = 0; v < n; ++v)
        old[v] = v > 0 ? FAR : 0;
    do {
        changed = 0;
#pragma acc parallel loop gang worker num_workers(8) vector_length(16) reduction(+ : changed) present(start[0:n + 1], edge_[0:edges], old[0:n], now[0:n])
#pragma omp parallel for reduction(+ : changed)
        for (unsigned v = 0; v < n; ++v) {
            int least = old[v];
#pragma acc loop vector reduction(min : least)
            for (unsigned e = start[v]; e < start[v + 1]; ++e)
                least = MIN(least, old[edge_[e].from] + edge_[e].weight);
            now[v] = least;
            if (least != old[v])
                ++changed;
        }
        int *swap = old;
        old = now, now = swap;
        ++*rounds;
    } while (changed > 0);
    return old;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = 0, *start = NEW(int, n + 1), *a = NEW(int, n), *b = NEW(int, n), *distance = NULL, rounds = 0;
    double sum = 0;
    for (int v = 0; v <= n; v++) {
        start[v] = edges;
        if (v < n)
            edges += 1 + mix(v) % 31;
    }
#pragma acc enter data copyin(start[0:n + 1]) create(a[0:n], b[0:n])
#if SPELLING == 1
    int *from = NEW(int, edges), *weight = NEW(int, edges);
    for (int e = 0; e < edges; e++) {
        from[e] = mix(e + 11) % n;
        weight[e] = 1 + mix(e + 5000011) % 100;
    }
#pragma acc enter data copyin(from[0:edges], weight[0:edges])
#else
    edge *all = NEW(edge, edges);
    for (int e = 0; e < edges; e++)
        all[e] = (edge){mix(e + 11) % n, 1 + mix(e + 5000011) % 100};
#pragma acc enter data copyin(all[0:edges])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        distance = shortest(n, edges, start, from, weight, a, b, &rounds);
#else
        distance = shortest(n, edges, (unsigned *)start, all, a, b, &rounds);
#endif
    }
#pragma acc update self(distance[0:n])
    for (int v = 0; v < n; v++)
        sum += distance[v] == FAR ? 1 : distance[v];
    report("sssp", t.best, sum + rounds);
    return 0;
}
