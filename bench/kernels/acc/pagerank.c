// A step of PageRank on a graph of 2^18 vertices, double: each vertex gathers from its 4 to 67 predecessors, in compressed rows; the
// change is a reduction.
#include "../kernels.h"

enum { VERTICES = 1 << 18 };

#if SPELLING == 1
static double step(int n, int edges, const int *restrict first, const int *restrict from, const int *restrict degree,
                   const double *restrict rank, double *restrict next)
{
    double change = 0;
#pragma acc parallel loop reduction(+ : change) \
    present(first[0:n + 1], from[0:edges], degree[0:n], rank[0:n], next[0:n])
#pragma omp parallel for reduction(+ : change)
    for (int v = 0; v < n; v++) {
        double sum = 0;
        for (int e = first[v]; e < first[v + 1]; e++)
            sum += rank[from[e]] / degree[from[e]];
        next[v] = 0.15 / n + 0.85 * sum;
        change += fabs(next[v] - rank[v]);
    }
    return change;
}
#else
struct graph {
    unsigned vertices, edges, *first, *from, *degree;
};

static double step(struct graph g, double *rank, double *next)
{
    unsigned *first = g.first, *from = g.from, *degree = g.degree;
    double change = 0, base = 0.15 / g.vertices;
#pragma acc kernels present(first[0:g.vertices + 1], from[0:g.edges], degree[0:g.vertices], rank[0:g.vertices], \
                                next[0:g.vertices])
#pragma acc loop independent reduction(+ : change)
#pragma omp parallel for reduction(+ : change)
    for (unsigned v = 0; v < g.vertices; ++v) {
        const unsigned *e = &from[first[v]], *end = &from[first[v + 1]];
        double sum = 0.0, old = rank[v];
        for (; e != end; ++e)
            sum += rank[*e] / (double)degree[*e];
        sum = base + 0.85 * sum;
        next[v] = sum;
        change += sum > old ? sum - old : old - sum;
    }
    return change;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *first = NEW(int, n + 1), *degree = NEW(int, n);
    first[0] = 0;
    for (int v = 0; v < n; v++)
        first[v + 1] = first[v] + 4 + (int)(mix(v) % 64), degree[v] = 1 + (int)(mix(v + n) % 71);
    int edges = first[n], *from = NEW(int, edges);
    double *rank = NEW(double, n), *next = NEW(double, n), change = 0, sum = 0;
    for (int e = 0; e < edges; e++)
        from[e] = (int)(mix(e) % n);
    FILL(rank, n, 2.0 / n);
#pragma acc enter data copyin(first[0:n + 1], degree[0:n], from[0:edges], rank[0:n]) create(next[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        change = step(n, edges, first, from, degree, rank, next);
#else
        struct graph g = {n, edges, (unsigned *)first, (unsigned *)from, (unsigned *)degree};
        change = step(g, rank, next);
#endif
    }
#pragma acc update self(next[0:n])
    for (int v = 0; v < n; v++)
        sum += next[v] * (1 + v % 7);
    report("pagerank", t.best, sum + change);
    return 0;
}
