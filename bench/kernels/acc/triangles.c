// Triangles of a graph of 2^15 vertices with 16 to 47 neighbours each, in sorted lists: for each edge the lists of its ends are merged.
#include "../kernels.h"

enum { VERTICES = 1 << 15 };

#if SPELLING == 1
static long count(int n, int edges, const int *restrict first, const int *restrict to)
{
    long total = 0;
#pragma acc parallel loop gang vector reduction(+ : total) present(first[0:n + 1], to[0:edges])
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
    for (int v = 0; v < n; v++)
        for (int e = first[v]; e < first[v + 1]; e++) {
            int u = to[e], i = e + 1, j = first[u], m = first[v + 1], k = first[u + 1];
            while (i < m && j < k) {
                if (to[i] == to[j]) {
                    total++;
                    i++;
                    j++;
                } else if (to[i] < to[j])
                    i++;
                else
                    j++;
            }
        }
    return total;
}
#else
#pragma acc routine seq
static unsigned common(const unsigned *a, const unsigned *a_end, const unsigned *b, const unsigned *b_end)
{
    unsigned found = 0;
    while (a < a_end && b < b_end) {
        unsigned x = *a, y = *b;
        found += x == y;
        a += x <= y;
        b += y <= x;
    }
    return found;
}

static long count(size_t n, size_t edges, unsigned *first, unsigned *to)
{
    long total = 0;
#pragma acc kernels present(first[0:n + 1], to[0:edges])
#pragma acc loop independent gang vector reduction(+ : total)
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
    for (size_t v = 0; v < n; ++v) {
        unsigned *end = to + first[v + 1];
        for (unsigned *e = to + first[v]; e < end; ++e)
            total += common(e + 1, end, to + first[*e], to + first[*e + 1]);
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *first = NEW(int, n + 1);
    first[0] = 0;
    for (int v = 0; v < n; v++)
        first[v + 1] = first[v] + 16 + (int)(mix(v) % 32);
    int edges = first[n], *to = NEW(int, edges);
    for (int v = 0; v < n; v++)
        for (int e = first[v], at = v; e < first[v + 1]; e++) {
            at += 1 + (int)(mix(e) % 6);
            to[e] = at < n ? at : n - 1;
        }
    long total = 0;
#pragma acc enter data copyin(first[0:n + 1], to[0:edges])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        total = count(n, edges, first, to);
#else
        total = count(n, edges, (unsigned *)first, (unsigned *)to);
#endif
    }
    report("triangles", t.best, total);
    return 0;
}
