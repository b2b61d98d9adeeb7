// Colours for a graph of 2^17 vertices with about 16 neighbours each, so that neighbours differ: in each round the vertices whose random number
// is the largest or the least among those left around them get a colour each; until none is left.
#include "../kernels.h"

enum { VERTICES = 1 << 17, EACH = 8 };

#if SPELLING == 1
static int colouring(int n, int edges, const int *restrict first, const int *restrict to, const unsigned *restrict weight, int *restrict colour,
                     int *restrict next)
{
    int left = n, round = 0;
#pragma acc data present(first[0:n + 1], to[0:edges], weight[0:n], colour[0:n], next[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            colour[v] = -1;
        while (left > 0) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int v = 0; v < n; v++) {
                if (colour[v] >= 0)
                    continue;
                int largest = 1, least = 1;
                for (int e = first[v]; e < first[v + 1]; e++) {
                    int u = to[e];
                    if (colour[u] >= 0 || u == v)
                        continue;
                    if (weight[u] > weight[v] || (weight[u] == weight[v] && u > v))
                        largest = 0;
                    else
                        least = 0;
                }
                next[v] = largest ? 2 * round : least ? 2 * round + 1 : -1;
            }
            left = 0;
#pragma acc parallel loop reduction(+ : left)
#pragma omp parallel for reduction(+ : left)
            for (int v = 0; v < n; v++)
                if (colour[v] < 0) {
                    colour[v] = next[v];
                    left += next[v] < 0;
                }
            round++;
        }
    }
    return round;
}
#else
struct graph {
    unsigned long n, edges;
    unsigned *first, *to, *weight;
};

#define NONE (-1)
#define BEFORE(w, u, v) ((w)[u] < (w)[v] || ((w)[u] == (w)[v] && (u) < (v)))

#pragma acc routine seq
static int pick(const unsigned *to, const unsigned *end, const unsigned *weight, const int *colour, unsigned v, int round)
{
    unsigned above = 0, below = 0;
    while (to < end && !(above && below)) {
        unsigned u = *to++;
        if (u != v && colour[u] == NONE) {
            if (BEFORE(weight, u, v))
                below++;
            else
                above++;
        }
    }
    if (above == 0)
        return 2 * round;
    return below ? NONE : 2 * round + 1;
}

static int colouring(struct graph g, int *colour, int *next)
{
    const unsigned long n = g.n;
    unsigned *first = g.first, *to = g.to, *weight = g.weight;
    int round = 0, again;
#pragma acc kernels loop independent present(colour[0:n])
#pragma omp parallel for
    for (unsigned long v = 0; v < n; ++v)
        colour[v] = NONE;
    do {
        again = 0;
#pragma acc kernels loop independent gang vector(128) present(first[0:n + 1], to[0:g.edges], weight[0:n], colour[0:n], next[0:n])
#pragma omp parallel for
        for (unsigned long v = 0; v < n; ++v)
            next[v] = colour[v] == NONE ? pick(to + first[v], to + first[v + 1], weight, colour, (unsigned)v, round) : colour[v];
#pragma acc parallel loop present(colour[0:n], next[0:n]) reduction(|| : again)
#pragma omp parallel for reduction(|| : again)
        for (unsigned long v = 0; v < n; ++v) {
            colour[v] = next[v];
            again = again || next[v] == NONE;
        }
        ++round;
    } while (again);
    return round;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = 2 * EACH * n, rounds = 0;
    int *first = calloc(n + 2, sizeof(int)), *to = NEW(int, edges), *colour = NEW(int, n), *next = NEW(int, n);
    unsigned *weight = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < EACH * n; k++) {
        first[k / EACH + 2]++;
        first[mix(k) % n + 2]++;
    }
    for (int v = 2; v < n + 2; v++)
        first[v] += first[v - 1];
    for (int k = 0; k < EACH * n; k++) {
        to[first[k / EACH + 1]++] = mix(k) % n;
        to[first[mix(k) % n + 1]++] = k / EACH;
    }
    for (int v = 0; v < n; v++)
        weight[v] = mix(v + 5) % 1000000;
#pragma acc enter data copyin(first[0:n + 1], to[0:edges], weight[0:n]) create(colour[0:n], next[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        rounds = colouring(n, edges, first, to, weight, colour, next);
#else
        rounds = colouring((struct graph){n, edges, (unsigned *)first, (unsigned *)to, weight}, colour, next);
#endif
    }
#pragma acc update self(colour[0:n])
    for (int v = 0; v < n; v++)
        sum += colour[v] * (1 + v % 7);
    report("colouring", t.best, sum + rounds);
    return 0;
}
