// Communities of a graph of 2^17 vertices with 8 to 48 neighbours by label propagation: in eight rounds, every second of which is for odd
// vertices, each takes the label that most of its neighbours have, the least of equally frequent ones; then edges within communities.
#include "../kernels.h"

enum { VERTICES = 1 << 17, ROUNDS = 8, MOST = 48 };

#if SPELLING == 1
static long propagate(int n, const int *restrict start, const int *restrict edge, int *restrict label, int *restrict moved)
{
    long inside = 0;
#pragma acc data present(start[0:n + 1], edge[0:start[n]], label[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            label[v] = v;
        for (int round = 0; round < ROUNDS; round++) {
            int changes = 0;
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : changes)
#pragma omp parallel for reduction(+ : changes)
            for (int v = 0; v < n; v++) {
                if (v % 2 != round % 2)
                    continue;
                int best = label[v], many = 0;
                for (int k = start[v]; k < start[v + 1]; k++) {
                    if (edge[k] % 2 == v % 2)
                        continue;
                    int mine = label[edge[k]], count = 0;
                    for (int l = start[v]; l < start[v + 1]; l++)
                        if (edge[l] % 2 != v % 2 && label[edge[l]] == mine)
                            count++;
                    if (count > many || (count == many && mine < best)) {
                        many = count;
                        best = mine;
                    }
                }
                if (best != label[v]) {
                    label[v] = best;
                    changes++;
                }
            }
            moved[round] = changes;
        }
#pragma acc parallel loop gang vector reduction(+ : inside)
#pragma omp parallel for reduction(+ : inside)
        for (int v = 0; v < n; v++)
            for (int k = start[v]; k < start[v + 1]; k++)
                inside += label[edge[k]] == label[v];
    }
    return inside;
}
#else
struct vertex { unsigned first, many; };

static long propagate(size_t n, size_t edges, const struct vertex *graph, const unsigned *edge, unsigned *label, int *moved)
{
    long inside = 0;
#pragma acc kernels present(label[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t v = 0; v < n; ++v)
        label[v] = v;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        int changes = 0;
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) reduction(+ : changes) \
    present(graph[0:n], edge[0:edges], label[0:n])
#pragma omp parallel for reduction(+ : changes)
        for (size_t v = round & 1; v < n; v += 2) {
            const unsigned first = graph[v].first, many = graph[v].many;
            unsigned long best = 0;
            unsigned old = label[v];
            // how many, and of these the least
#pragma acc loop vector reduction(max : best)
            for (unsigned k = 0; k < many; ++k) {
                const unsigned w = edge[first + k];
                unsigned long count = 0;
                if (((w ^ v) & 1) == 0)
                    continue;
                const unsigned mine = label[w];
                for (unsigned l = 0; l < many; ++l) {
                    const unsigned u = edge[first + l];
                    count += ((u ^ v) & 1) && label[u] == mine;
                }
                count = count << 32 | (0xffffffffu - mine);
                best = count > best ? count : best;
            }
            if (best && 0xffffffffu - (unsigned)best != old) {
                label[v] = 0xffffffffu - (unsigned)best;
                ++changes;
            }
        }
        moved[round] = changes;
    }
#pragma acc parallel loop gang vector_length(32) reduction(+ : inside) present(graph[0:n], edge[0:edges], label[0:n])
#pragma omp parallel for reduction(+ : inside)
    for (size_t v = 0; v < n; ++v) {
#pragma acc loop vector reduction(+ : inside)
        for (size_t k = graph[v].first; k < graph[v].first + graph[v].many; ++k)
            if (label[edge[k]] == label[v])
                ++inside;
    }
    return inside;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *start = NEW(int, n + 1), moved[ROUNDS];
    long inside = 0;
    double sum = 0;
    start[0] = 0;
    for (int v = 0; v < n; v++)
        start[v + 1] = start[v] + 8 + mix(v) % (MOST - 7);
    int edges = start[n], *edge = NEW(int, edges), *label = NEW(int, n);
    for (int v = 0; v < n; v++)
        for (int k = start[v]; k < start[v + 1]; k++) {
            int near = mix(k) % 8 != 0;
            edge[k] = near ? v / 64 * 64 + (int)(mix(k + 9) % 64) : (int)(mix(k + 9) % n);
        }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(start[0:n + 1], edge[0:edges]) create(label[0:n])
    while (lap(&t))
        inside = propagate(n, start, edge, label, moved);
#else
    struct vertex *graph = NEW(struct vertex, n);
    for (int v = 0; v < n; v++)
        graph[v] = (struct vertex){start[v], start[v + 1] - start[v]};
#pragma acc enter data copyin(graph[0:n], edge[0:edges]) create(label[0:n])
    while (lap(&t))
        inside = propagate(n, edges, graph, (unsigned *)edge, (unsigned *)label, moved);
#endif
#pragma acc update self(label[0:n])
    for (int v = 0; v < n; v++)
        sum += label[v] * 1e-3 * (1 + v % 3);
    for (int r = 0; r < ROUNDS; r++)
        sum += moved[r] * (r + 1.0);
    report("communities", t.best, sum + inside);
    return 0;
}
