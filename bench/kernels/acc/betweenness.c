// How many shortest ways of a graph of 2^17 vertices with 16 neighbours in the mean go through each (Brandes), from
// four sources, double: ways are counted level by level outward, and what depends on a vertex level by level back.
#include "../kernels.h"

enum { VERTICES = 1 << 17, DEGREE = 16, SOURCES = 4, LEVELS = 64 };

#if SPELLING == 1
static int centrality(int n, const int *restrict start, const int *restrict edge, int *restrict level,
                      double *restrict ways, double *restrict rest, double *restrict central)
{
    int deepest = 0;
#pragma acc data present(start[0:n + 1], edge[0:start[n]], level[0:n], ways[0:n], rest[0:n], central[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            central[v] = 0;
        for (int s = 0; s < SOURCES; s++) {
            int source = n / SOURCES * s, found = 1, depth = 0;
#pragma acc parallel loop
#pragma omp parallel for
            for (int v = 0; v < n; v++) {
                level[v] = v == source ? 0 : -1;
                ways[v] = v == source;
                rest[v] = 0;
            }
            while (found) {
                found = 0;
#pragma acc parallel loop gang vector reduction(+ : found)
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 256)
                for (int v = 0; v < n; v++) {
                    double sum = 0;
                    if (level[v] >= 0)
                        continue;
                    for (int k = start[v]; k < start[v + 1]; k++)
                        if (level[edge[k]] == depth)
                            sum += ways[edge[k]];
                    if (sum > 0) {
                        ways[v] = sum;
                        found++;
                    }
                }
#pragma acc parallel loop
#pragma omp parallel for
                for (int v = 0; v < n; v++)
                    if (level[v] < 0 && ways[v] > 0)
                        level[v] = depth + 1;
                depth++;
            }
            deepest += depth;
            for (int d = depth - 2; d >= 0; d--) {
#pragma acc parallel loop gang vector
#pragma omp parallel for schedule(dynamic, 256)
                for (int v = 0; v < n; v++) {
                    if (level[v] != d)
                        continue;
                    double sum = 0;
                    for (int k = start[v]; k < start[v + 1]; k++) {
                        int w = edge[k];
                        if (level[w] == d + 1)
                            sum += ways[v] / ways[w] * (1 + rest[w]);
                    }
                    rest[v] = sum;
                    if (v != source)
                        central[v] += sum;
                }
            }
        }
    }
    return deepest;
}
#else
struct vertex { int level, seen; unsigned first, past; double ways, rest, central; };

static int centrality(unsigned n, struct vertex *graph, unsigned *edge, unsigned *list)
{
    int deepest = 0;
#pragma acc data present(graph[0:n], edge[0:graph[n - 1].past], list[0:n])
    for (unsigned s = 0; s < SOURCES; ++s) {
        unsigned source = n / SOURCES * s, ends[LEVELS + 1] = {0, 1}, found = 1, depth = 0, from, to;
#pragma acc parallel loop
#pragma omp parallel for
        for (unsigned v = 0; v < n; ++v) {
            graph[v].level = v == source ? 0 : -1;
            graph[v].ways = v == source ? 1 : 0;
            graph[v].seen = 0;
            graph[v].central = s ? graph[v].central : 0;
            if (v == source)
                list[0] = v;
        }
        do {
            from = ends[depth], to = ends[depth + 1];
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) copy(found)
#pragma omp parallel for schedule(dynamic, 64)
            for (unsigned i = from; i < to; ++i) {
                const struct vertex *v = graph + list[i];
#pragma acc loop vector
                for (const unsigned *k = edge + v->first; k < edge + v->past; ++k) {
                    struct vertex *w = graph + *k;
                    int level, before;
                    unsigned place;
#pragma acc atomic read
#pragma omp atomic read
                    level = w->level;
                    if (level >= 0 && level != (int)depth + 1)
                        continue;
#pragma acc atomic capture
#pragma omp atomic capture
                    before = w->seen++;
                    if (before == 0) {
#pragma acc atomic write
#pragma omp atomic write
                        w->level = (int)depth + 1;
#pragma acc atomic capture
#pragma omp atomic capture
                        place = found++;
                        list[place] = *k;
                    }
#pragma acc atomic
#pragma omp atomic
                    w->ways += v->ways;
                }
            }
            ends[++depth + 1] = found;
        } while (ends[depth] < found);
        deepest += depth;
        while (depth--) {
            from = ends[depth], to = ends[depth + 1];
#pragma acc parallel loop gang vector
#pragma omp parallel for schedule(dynamic, 64)
            for (unsigned i = from; i < to; ++i) {
                struct vertex *v = graph + list[i];
                double sum = 0;
                for (unsigned k = v->first; k != v->past; ++k)
                    if (graph[edge[k]].level == v->level + 1)
                        sum += (1 + graph[edge[k]].rest) / graph[edge[k]].ways;
                v->rest = sum * v->ways;
                v->central += v->level ? v->rest : 0;
            }
        }
    }
    return deepest;
}
#endif

// End k % 2 of pair k / 2: most pairs are near, some anywhere.
static int end(int k, int n)
{
    int near = k / 2 % 8 != 0, first = mix(k & ~1) % n;
    return k % 2 == 0 ? first : near ? (first + 1 + (int)(mix(k) % 999)) % n : (int)(mix(k) % n);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = n * DEGREE, *start = NEW(int, n + 2), *edge = NEW(int, edges);
    int deepest = 0;
    double sum = 0;
    for (int v = 0; v < n + 2; v++)
        start[v] = 0;
    for (int k = 0; k < edges; k++)
        start[end(k, n) + 2]++;
    for (int v = 0; v < n; v++)
        start[v + 2] += start[v + 1];
    for (int k = 0; k < edges; k++)
        edge[start[end(k, n) + 1]++] = end(k ^ 1, n);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *level = NEW(int, n);
    double *ways = NEW(double, n), *rest = NEW(double, n), *central = NEW(double, n);
#pragma acc enter data copyin(start[0:n + 1], edge[0:edges]) create(level[0:n], ways[0:n], rest[0:n]) \
    create(central[0:n])
    while (lap(&t))
        deepest = centrality(n, start, edge, level, ways, rest, central);
#pragma acc update self(central[0:n])
    for (int v = 0; v < n; v++)
        sum += central[v] * (1 + v % 5);
#else
    struct vertex *graph = NEW(struct vertex, n);
    unsigned *list = NEW(unsigned, n);
    for (int v = 0; v < n; v++)
        graph[v] = (struct vertex){0, 0, start[v], start[v + 1], 0, 0, 0};
#pragma acc enter data copyin(graph[0:n], edge[0:edges]) create(list[0:n])
    while (lap(&t))
        deepest = centrality(n, graph, (unsigned *)edge, list);
#pragma acc update self(graph[0:n])
    for (int v = 0; v < n; v++)
        sum += graph[v].central * (1 + v % 5);
#endif
    report("betweenness", t.best, sum + deepest);
    return 0;
}
