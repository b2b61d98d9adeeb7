// How far a rumour goes in a graph of 2^16 vertices with 4 to 28 incoming edges (independent cascades): 64 trials at once, a bit of a word each,
// in which every edge passes it on with a chance of 1 in 8; from 16 vertices, round after round until nobody hears of it any more.
#include "../kernels.h"

enum { VERTICES = 1 << 16, SEEDS = 16, LIMIT = 100 };

typedef unsigned long long word;

#pragma acc routine seq
static word scramble(word z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// The trials in which the edge from u to v passes on.
#pragma acc routine seq
static word passes(unsigned u, unsigned v)
{
    word z = ((word)u << 32 | v) * 0x9e3779b97f4a7c15ull;
    return scramble(z) & scramble(z + 0x9e3779b97f4a7c15ull) & scramble(z + 2 * 0x9e3779b97f4a7c15ull);
}

#if SPELLING == 1
// Each vertex asks those before it. The result is in `heard`, in `next` for odd numbers of rounds.
static int spread(int n, const int *restrict start, const int *restrict source, word *restrict heard, word *restrict next, int *restrict news)
{
    int round = 0, changes = 1;
#pragma acc data present(start[0:n + 1], source[0:start[n]], heard[0:n], next[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            heard[v] = v % (n / SEEDS) == 0 ? ~0ull : 0;
        while (changes > 0 && round < LIMIT) {
            changes = 0;
#pragma acc parallel loop reduction(+ : changes)
#pragma omp parallel for reduction(+ : changes)
            for (int v = 0; v < n; v++) {
                word all = heard[v];
                for (int k = start[v]; k < start[v + 1]; k++) {
                    word w = heard[source[k]];
                    if (w & ~all)
                        all |= w & passes(source[k], v);
                }
                next[v] = all;
                changes += all != heard[v];
            }
            news[round++] = changes;
            word *swap = heard;
            heard = next;
            next = swap;
        }
    }
    return round;
}
#else
struct graph { size_t vertices, edges; unsigned *first, *target; };
struct vertex { word heard, fresh, next; };

// Those who have heard something in the round before tell it on.
static int spread(const struct graph *g, struct vertex *vertices, int *news)
{
    const size_t n = g->vertices;
    int round = 0, changes;
#pragma acc data present(g[0:1], vertices[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (size_t v = 0; v < n; ++v) {
            vertices[v].heard = vertices[v].fresh = v % (n / SEEDS) ? 0 : ~(word)0;
            vertices[v].next = 0;
        }
        do {
            changes = 0;
#pragma acc parallel loop gang worker num_workers(4) vector_length(32)
#pragma omp parallel for
            for (size_t v = 0; v < n; ++v) {
                const word fresh = vertices[v].fresh;
                if (fresh == 0)
                    continue;
#pragma acc loop vector
                for (unsigned k = g->first[v]; k < g->first[v + 1]; ++k) {
                    const unsigned w = g->target[k];
                    const word bits = fresh & ~vertices[w].heard & passes(v, w);
                    if (bits)
#pragma acc atomic update
#pragma omp atomic
                        vertices[w].next |= bits;
                }
            }
#pragma acc parallel loop reduction(+ : changes)
#pragma omp parallel for reduction(+ : changes)
            for (size_t v = 0; v < n; ++v) {
                struct vertex here = vertices[v];
                here.fresh = here.next & ~here.heard;
                here.heard |= here.fresh;
                here.next = 0;
                vertices[v] = here;
                if (here.fresh)
                    ++changes;
            }
            news[round] = changes;
        } while (++round < LIMIT && changes);
    }
    return round;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *start = NEW(int, n + 1), news[LIMIT], rounds = 0;
    double sum = 0;
    start[0] = 0;
    for (int v = 0; v < n; v++)
        start[v + 1] = start[v] + 4 + mix(v) % 25;
    int edges = start[n], *source = NEW(int, edges);
    for (int k = 0; k < edges; k++)
        source[k] = mix(k + 77) % n;
    word *heard = NEW(word, n);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    word *next = NEW(word, n);
#pragma acc enter data copyin(start[0:n + 1], source[0:edges]) create(heard[0:n], next[0:n])
    while (lap(&t))
        rounds = spread(n, start, source, heard, next, news);
    if (rounds % 2)
        heard = next;
#pragma acc update self(heard[0:n])
#else
    struct graph all = {n, edges, NEW(unsigned, n + 1), NEW(unsigned, edges)}, *g = &all;
    struct vertex *vertices = NEW(struct vertex, n);
    for (int v = 0; v <= n; v++)
        g->first[v] = 0;
    for (int k = 0; k < edges; k++)
        g->first[source[k] + 1]++;
    for (int v = 0; v < n; v++)
        g->first[v + 1] += g->first[v];
    for (int v = 0; v < n; v++)
        for (int k = start[v]; k < start[v + 1]; k++)
            g->target[g->first[source[k]]++] = v;
    for (int v = n; v > 0; v--)
        g->first[v] = g->first[v - 1];
    g->first[0] = 0;
#pragma acc enter data copyin(g[0:1], g->first[0:n + 1], g->target[0:edges]) create(vertices[0:n])
    while (lap(&t))
        rounds = spread(g, vertices, news);
#pragma acc update self(vertices[0:n])
    for (int v = 0; v < n; v++)
        heard[v] = vertices[v].heard;
#endif
    for (int v = 0; v < n; v++)
        sum += __builtin_popcountll(heard[v]) * (1 + v % 3);
    for (int r = 0; r < rounds; r++)
        sum += news[r] * (r + 1.0);
    report("cascade", t.best, sum);
    return 0;
}
