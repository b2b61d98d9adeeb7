// Eight exchanges of two edges in a salesman's tour of 4096 cities, each the best of all (2-opt), with distances rounded as TSPLIB has them:
// the greatest saving of all pairs with its place, then what lies between the two edges is turned round.
#include "../kernels.h"

enum { CITIES = 4096, MOVES = 8 };

#if SPELLING == 1
static inline int distance(int xa, int ya, int xb, int yb)
{
    double dx = xa - xb, dy = ya - yb;
    return (int)(sqrt(dx * dx + dy * dy) + 0.5);
}

// Edge i goes from place i of the tour to the next. The change of length is above the number of the pair of edges.
static long best_pair(int n, const int *restrict x, const int *restrict y, const int *restrict length)
{
    long best = 0;
#pragma acc parallel loop gang reduction(min : best) present(x[0:n + 1], y[0:n + 1], length[0:n])
#pragma omp parallel for reduction(min : best) schedule(dynamic, 16)
    for (int i = 0; i < n - 2; i++) {
#pragma acc loop vector reduction(min : best)
        for (int j = i + 2; j < n; j++) {
            int change = distance(x[i], y[i], x[j], y[j]) + distance(x[i + 1], y[i + 1], x[j + 1], y[j + 1]) - length[i] - length[j];
            long pair = (long)change * n * n + (long)i * n + j;
            if (pair < best)
                best = pair;
        }
    }
    return best;
}

static int improve(int n, const int *restrict x0, const int *restrict y0, int *restrict x, int *restrict y, int *restrict length, int *saved)
{
    int moves = 0;
    *saved = 0;
#pragma acc data present(x0[0:n + 1], y0[0:n + 1], x[0:n + 1], y[0:n + 1], length[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i <= n; i++) {
            x[i] = x0[i];
            y[i] = y0[i];
        }
        for (; moves < MOVES; moves++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                length[i] = distance(x[i], y[i], x[i + 1], y[i + 1]);
            long best = best_pair(n, x, y, length);
            if (best >= 0)
                break;
            long square = (long)n * n, change = -((-best + square - 1) / square), pair = best - change * square;
            int first = pair / n + 1, last = pair % n;
            *saved -= change;
#pragma acc parallel loop
#pragma omp parallel for
            for (int k = 0; k < (last - first + 1) / 2; k++) {
                int tx = x[first + k], ty = y[first + k];
                x[first + k] = x[last - k];
                y[first + k] = y[last - k];
                x[last - k] = tx;
                y[last - k] = ty;
            }
        }
    }
    return moves;
}
#else
typedef struct { int x, y; } city;

#define NEAREST(v) ((long long)((v) + 0.5))
#define HYPOT(a, b) sqrt((double)((a) * (a) + (b) * (b)))
#define DISTANCE(a, b) NEAREST(HYPOT((a).x - (b).x, (a).y - (b).y))

static size_t improve(size_t n, const city *start, city *tour, int *saved)
{
    size_t moves = 0;
    const long long pairs = (long long)(n * n);
    *saved = 0;
#pragma acc kernels loop independent present(start[0:n + 1], tour[0:n + 1])
#pragma omp parallel for
    for (size_t i = 0; i <= n; ++i)
        tour[i] = start[i];
    while (moves < MOVES) {
        long long best = 0;
#pragma acc kernels loop independent reduction(min : best) present(tour[0:n + 1])
#pragma omp parallel for reduction(min : best) schedule(dynamic, 16)
        for (size_t i = 0; i < n - 2; ++i) {
            const city a = tour[i], b = tour[i + 1];
            const long long here = DISTANCE(a, b);
#pragma acc loop independent reduction(min : best)
            for (size_t j = i + 2; j < n; ++j) {
                const city c = tour[j], d = tour[j + 1];
                const long long change = DISTANCE(a, c) + DISTANCE(b, d) - here - DISTANCE(c, d);
                const long long key = change * pairs + (long long)(i * n + j);
                best = key < best ? key : best;
            }
        }
        if (best == 0)
            break;
        const long long change = -((pairs - 1 - best) / pairs);
        const size_t pair = (size_t)(best - change * pairs), first = pair / n + 1, last = pair % n;
        *saved -= (int)change;
        ++moves;
#pragma acc kernels loop independent present(tour[0:n + 1])
#pragma omp parallel for
        for (size_t k = 0; k < (last - first + 1) / 2; ++k) {
            city *p = &tour[first + k], *q = &tour[last - k];
            city other = *p;
            *p = *q;
            *q = other;
        }
    }
    return moves;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CITIES >> (args.shift + 1) / 2, saved = 0, moves = 0;
    int *x0 = NEW(int, n + 1), *y0 = NEW(int, n + 1), *x = NEW(int, n + 1), *y = NEW(int, n + 1);
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        x0[i] = mix(2 * (i % n)) % 10000;
        y0[i] = mix(2 * (i % n) + 1) % 10000;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *length = NEW(int, n);
#pragma acc enter data copyin(x0[0:n + 1], y0[0:n + 1]) create(x[0:n + 1], y[0:n + 1], length[0:n])
    while (lap(&t))
        moves = improve(n, x0, y0, x, y, length, &saved);
#pragma acc update self(x[0:n + 1], y[0:n + 1])
#else
    city *start = NEW(city, n + 1), *tour = NEW(city, n + 1);
    for (int i = 0; i <= n; i++)
        start[i] = (city){x0[i], y0[i]};
#pragma acc enter data copyin(start[0:n + 1]) create(tour[0:n + 1])
    while (lap(&t))
        moves = (int)improve(n, start, tour, &saved);
#pragma acc update self(tour[0:n + 1])
    for (int i = 0; i <= n; i++) {
        x[i] = tour[i].x;
        y[i] = tour[i].y;
    }
#endif
    for (int i = 0; i < n; i++)
        sum += (i % 13 + 1) * (double)x[i] + (i % 7 + 1) * (double)y[i];
    report("tour", t.best, sum + 1000.0 * saved + moves);
    return 0;
}
