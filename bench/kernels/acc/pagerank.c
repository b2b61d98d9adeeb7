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
#elif SPELLING == 3
static double step(int n, int edges, int *first, int *from, int *degree, double *rank, double *next)
{
    const double d = 0.85, base = (1 - d) / n;
    double change = 0;
#pragma acc data present(first[0:n + 1], from[0:edges], degree[0:n], rank[0:n], next[0:n])
    {
#pragma acc kernels loop independent
        for (int v = 0; v < n; v++) {
            next[v] = 0;
            for (int e = first[v]; e < first[v + 1]; e++) {
                int u = from[e];
                next[v] += rank[u] / degree[u];
            }
            next[v] = base + d * next[v];
        }
#pragma acc parallel loop reduction(+ : change)
        for (int v = 0; v < n; v++)
            change += next[v] > rank[v] ? next[v] - rank[v] : rank[v] - next[v];
    }
    return change;
}
#elif SPELLING == 4
static double step(size_t n, size_t m, const int *restrict offset, const int *restrict source, const int *restrict outdeg, const double *restrict pr,
                   double *restrict pr_new)
{
    double err = 0.0;
#pragma acc parallel loop gang worker vector_length(32) reduction(+ : err) \
    present(offset[0:n + 1], source[0:m], outdeg[0:n], pr[0:n], pr_new[0:n])
    for (size_t v = 0; v < n; v++) {
        double incoming = 0.0;
#pragma acc loop vector reduction(+ : incoming)
        for (int e = offset[v]; e < offset[v + 1]; e++)
            incoming += pr[source[e]] / (double)outdeg[source[e]];
        double new_rank = 0.15 / n + 0.85 * incoming;
        err += fabs(new_rank - pr[v]);
        pr_new[v] = new_rank;
    }
    return err;
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
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
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
