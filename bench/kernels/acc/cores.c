// The k-cores of a graph of 2^16 vertices with about 24 neighbours each, as libraries for graphs have them: what has at most k neighbours left is
// taken away in rounds, each of which takes a neighbour from those around it, until k is the core number of each.
#include "../kernels.h"

enum { VERTICES = 1 << 16, LEAST = 10, SPREAD = 5 };

#if SPELLING == 1
static int peel(int n, int m, const int *restrict first, const int *restrict to, int *restrict degree, int *restrict core, int *queue, int *next)
{
    int k = n, left = n;
#pragma acc data present(first[0:n + 1], to[0:m], degree[0:n], core[0:n], queue[0:n], next[0:n])
    {
#pragma acc parallel loop reduction(min : k)
#pragma omp parallel for reduction(min : k)
        for (int v = 0; v < n; v++) {
            degree[v] = first[v + 1] - first[v];
            core[v] = -1;
            k = degree[v] < k ? degree[v] : k;
        }
        for (; left > 0; k++) {
            int count = 0;
#pragma acc parallel loop copy(count)
#pragma omp parallel for
            for (int v = 0; v < n; v++)
                if (core[v] < 0 && degree[v] <= k) {
                    int at;
#pragma acc atomic capture
#pragma omp atomic capture
                    at = count++;
                    queue[at] = v;
                    core[v] = k;
                }
            while (count > 0) {
                int more = 0;
                left -= count;
#pragma acc parallel loop copy(more)
#pragma omp parallel for
                for (int i = 0; i < count; i++) {
                    int v = queue[i];
                    for (int e = first[v]; e < first[v + 1]; e++) {
                        int u = to[e], before;
#pragma acc atomic capture
#pragma omp atomic capture
                        before = degree[u]--;
                        if (before == k + 1) {
                            int at;
#pragma acc atomic capture
#pragma omp atomic capture
                            at = more++;
                            next[at] = u;
                            core[u] = k;
                        }
                    }
                }
                int *swap = queue;
                queue = next;
                next = swap;
                count = more;
            }
        }
    }
    return k - 1;
}
#else
struct vertex { unsigned begin, end, left; int core; };

#define EACH_EDGE(e, v) for (unsigned e = (v).begin; e < (v).end; ++e)

// Vertices in the order in which they go: a window of it is a round, and what it makes due is put behind.
static unsigned collect(unsigned n, struct vertex *vertices, unsigned *order, unsigned end, unsigned k)
{
#pragma acc parallel loop gang vector copy(end) present(vertices[0:n], order[0:n])
#pragma omp parallel for
    for (unsigned v = 0; v < n; ++v) {
        if (vertices[v].core >= 0 || vertices[v].left > k)
            continue;
        unsigned at;
#pragma acc atomic capture
#pragma omp atomic capture
        {
            at = end;
            end += 1;
        }
        order[at] = v;
        vertices[v].core = (int)k;
    }
    return end;
}

static unsigned take(unsigned n, size_t m, struct vertex *vertices, const unsigned *to, unsigned *order, unsigned begin, unsigned end, unsigned k)
{
    unsigned tail = end;
#pragma acc parallel loop gang copy(tail) present(vertices[0:n], to[0:m], order[0:n])
#pragma omp parallel for
    for (unsigned i = begin; i < end; ++i) {
        const unsigned v = order[i];
#pragma acc loop vector
        EACH_EDGE(e, vertices[v])
        {
            struct vertex *u = &vertices[to[e]];
            unsigned before;
#pragma acc atomic capture
#pragma omp atomic capture
            {
                before = u->left;
                u->left -= 1;
            }
            if (before == k + 1) {
                unsigned at;
#pragma acc atomic capture
#pragma omp atomic capture
                {
                    at = tail;
                    tail += 1;
                }
                order[at] = to[e];
                u->core = (int)k;
            }
        }
    }
    return tail;
}

static unsigned peel(unsigned n, size_t m, struct vertex *vertices, const unsigned *to, unsigned *order)
{
    unsigned k = n, begin = 0;
#pragma acc parallel loop gang vector reduction(min : k) present(vertices[0:n])
#pragma omp parallel for reduction(min : k)
    for (unsigned v = 0; v < n; ++v) {
        const unsigned degree = vertices[v].end - vertices[v].begin;
        vertices[v].left = degree;
        vertices[v].core = -1;
        if (degree < k)
            k = degree;
    }
    for (; begin < n; ++k) {
        unsigned end = collect(n, vertices, order, begin, k);
        while (begin < end) {
            const unsigned tail = take(n, m, vertices, to, order, begin, end, k);
            begin = end;
            end = tail;
        }
    }
    return k - 1;
}
#endif

// Edges in both directions, of which some vertices have many.
static int connect(int n, int *first, int *to)
{
    int m = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int v = 0; v < n; v++)
            for (int e = 0; e < LEAST + (int)(mix(v + 5) % SPREAD); e++) {
                double place = number(32 * v + e);
                int u = (int)(n * (e % 4 ? place : place * place));
                if (u == v)
                    continue;
                if (pass) {
                    to[first[v]++] = u;
                    to[first[u]++] = v;
                } else {
                    first[v]++;
                    first[u]++;
                }
            }
        for (int v = 0; v < n && !pass; v++) {
            int degree = first[v];
            first[v] = m;
            m += degree;
        }
    }
    for (int v = n; v > 0; v--)
        first[v] = first[v - 1];
    first[0] = 0;
    return m;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift;
    int *first = (int *)calloc(n + 1, sizeof(int)), *to = NEW(int, 2 * n *(LEAST + SPREAD)), m = connect(n, first, to);
    double sum = 0;
    long largest = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *degree = NEW(int, n), *core = NEW(int, n), *queue = NEW(int, n), *next = NEW(int, n);
#pragma acc enter data copyin(first[0:n + 1], to[0:m]) create(degree[0:n], core[0:n], queue[0:n], next[0:n])
    while (lap(&t))
        largest = peel(n, m, first, to, degree, core, queue, next);
#pragma acc update self(core[0:n])
    for (int v = 0; v < n; v++)
        sum += core[v] * (v % 7 + 1);
#else
    struct vertex *vertices = NEW(struct vertex, n);
    unsigned *ends = (unsigned *)to, *order = NEW(unsigned, n);
    for (int v = 0; v < n; v++)
        vertices[v] = (struct vertex){(unsigned)first[v], (unsigned)first[v + 1], 0, -1};
#pragma acc enter data copyin(vertices[0:n], ends[0:m]) create(order[0:n])
    while (lap(&t))
        largest = peel(n, m, vertices, ends, order);
#pragma acc update self(vertices[0:n])
    for (int v = 0; v < n; v++)
        sum += vertices[v].core * (v % 7 + 1);
#endif
    report("cores", t.best, sum + 1000 * largest);
    return 0;
}
