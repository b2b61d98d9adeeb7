// Four steps of means over 27 cells of eight variables on a periodic grid of 96^3 doubles with ghost cells, that are filled through buffers as between
// processes, direction by direction; the sum of each variable after each step.
#include "../kernels.h"

enum { SIDE = 96, VARIABLES = 8, STEPS = 4 };

#if SPELLING == 1
enum { QUEUES = 4 };

// Copies the two outer layers of cells across one direction to the ghosts at the other end, for places p and q along the other two directions.
static void exchange(int n, double *restrict a, double *restrict low, double *restrict high, int step, int step_p, int first_p, int last_p, int step_q,
                     int first_q, int last_q, int queue)
{
    int s = n + 2, all = s * s * s;
#pragma acc parallel loop collapse(2) present(a[0:all], low[0:s * s], high[0:s * s]) async(queue)
#pragma omp parallel for
    for (int p = first_p; p <= last_p; p++)
        for (int q = first_q; q <= last_q; q++) {
            low[p * s + q] = a[p * step_p + q * step_q + step];
            high[p * s + q] = a[p * step_p + q * step_q + n * step];
        }
#pragma acc parallel loop collapse(2) present(a[0:all], low[0:s * s], high[0:s * s]) async(queue)
#pragma omp parallel for
    for (int p = first_p; p <= last_p; p++)
        for (int q = first_q; q <= last_q; q++) {
            a[p * step_p + q * step_q] = high[p * s + q];
            a[p * step_p + q * step_q + (n + 1) * step] = low[p * s + q];
        }
}

static void average(int n, const double *restrict a, double *restrict b, int queue)
{
    int s = n + 2, all = s * s * s;
#pragma acc parallel loop collapse(3) present(a[0:all], b[0:all]) async(queue)
#pragma omp parallel for collapse(2)
    for (int z = 1; z <= n; z++)
        for (int y = 1; y <= n; y++)
            for (int x = 1; x <= n; x++) {
                double sum = 0;
                for (int k = -1; k <= 1; k++)
                    for (int j = -1; j <= 1; j++)
                        for (int i = -1; i <= 1; i++)
                            sum += a[((z + k) * s + y + j) * s + x + i];
                b[(z * s + y) * s + x] = sum / 27;
            }
}

static double total(int n, const double *restrict a)
{
    int s = n + 2, all = s * s * s;
    double sum = 0;
#pragma acc parallel loop collapse(3) reduction(+ : sum) present(a[0:all])
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int z = 1; z <= n; z++)
        for (int y = 1; y <= n; y++)
            for (int x = 1; x <= n; x++)
                sum += a[(z * s + y) * s + x];
    return sum;
}

static void advance(int n, const double *restrict start, double **a, double **b, double **low, double **high, double *sums)
{
    int s = n + 2, all = s * s * s;
    for (int v = 0; v < VARIABLES; v++) {
        double *restrict to = a[v];
#pragma acc parallel loop present(start[0:VARIABLES * all], to[0:all]) async(v % QUEUES)
#pragma omp parallel for
        for (int k = 0; k < all; k++)
            to[k] = start[v * all + k];
    }
    for (int step = 0; step < STEPS; step++) {
        for (int v = 0; v < VARIABLES; v++) {
            exchange(n, a[v], low[v], high[v], 1, s * s, 1, n, s, 1, n, v % QUEUES);
            exchange(n, a[v], low[v], high[v], s, s * s, 1, n, 1, 0, n + 1, v % QUEUES);
            exchange(n, a[v], low[v], high[v], s * s, s, 0, n + 1, 1, 0, n + 1, v % QUEUES);
            average(n, a[v], b[v], v % QUEUES);
        }
#pragma acc wait
        for (int v = 0; v < VARIABLES; v++) {
            sums[step * VARIABLES + v] = total(n, b[v]);
            double *swap = a[v];
            a[v] = b[v], b[v] = swap;
        }
    }
}
#else
// All variables at once; ghosts come straight from the other end.
static void advance(long n, double *start, double *one, double *other, double *sums)
{
    const long s = n + 2, all = VARIABLES * s * s * s;
    double(*a)[s][s][s] = (void *)one, (*b)[s][s][s] = (void *)other;
#pragma acc parallel loop present(start[0:all], one[0:all])
#pragma omp parallel for
    for (long k = 0; k < all; ++k)
        one[k] = start[k];
    for (int step = 0; step < STEPS; ++step) {
#pragma acc parallel loop collapse(3) present(a[0:VARIABLES]) async(1)
#pragma omp parallel for collapse(2)
        for (int v = 0; v < VARIABLES; ++v)
            for (long z = 1; z <= n; ++z)
                for (long y = 1; y <= n; ++y) {
                    a[v][z][y][0] = a[v][z][y][n];
                    a[v][z][y][n + 1] = a[v][z][y][1];
                }
#pragma acc parallel loop collapse(3) present(a[0:VARIABLES]) async(1)
#pragma omp parallel for collapse(2)
        for (int v = 0; v < VARIABLES; ++v)
            for (long z = 1; z <= n; ++z)
                for (long x = 0; x < s; ++x) {
                    a[v][z][0][x] = a[v][z][n][x];
                    a[v][z][n + 1][x] = a[v][z][1][x];
                }
#pragma acc parallel loop collapse(3) present(a[0:VARIABLES]) async(1)
#pragma omp parallel for collapse(2)
        for (int v = 0; v < VARIABLES; ++v)
            for (long y = 0; y < s; ++y)
                for (long x = 0; x < s; ++x) {
                    a[v][0][y][x] = a[v][n][y][x];
                    a[v][n + 1][y][x] = a[v][1][y][x];
                }
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(32) present(a[0:VARIABLES], b[0:VARIABLES]) async(1)
#pragma omp parallel for collapse(2)
        for (int v = 0; v < VARIABLES; ++v)
            for (long z = 1; z <= n; ++z) {
#pragma acc loop worker
                for (long y = 1; y <= n; ++y) {
#pragma acc loop vector
#pragma omp simd
                    for (long x = 1; x <= n; ++x) {
                        double sum = 0;
#pragma acc loop seq
                        for (int k = -1; k <= 1; ++k) {
                            double *p = &a[v][z + k][y - 1][x], *q = &a[v][z + k][y][x], *r = &a[v][z + k][y + 1][x];
                            sum += p[-1] + p[0] + p[1] + q[-1] + q[0] + q[1] + r[-1] + r[0] + r[1];
                        }
                        b[v][z][y][x] = sum * (1.0 / 27);
                    }
                }
            }
        double *layer = sums + step * VARIABLES * n;
#pragma acc parallel loop gang collapse(2) present(b[0:VARIABLES], layer[0:VARIABLES * n]) async(1)
#pragma omp parallel for collapse(2)
        for (int v = 0; v < VARIABLES; ++v)
            for (long z = 1; z <= n; ++z) {
                double sum = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum)
                for (long y = 1; y <= n; ++y)
                    for (long x = 1; x <= n; ++x)
                        sum += b[v][z][y][x];
                layer[v * n + z - 1] = sum;
            }
        double(*swap)[s][s][s] = a;
        a = b, b = swap;
    }
#pragma acc update self(sums[0:STEPS * VARIABLES * n]) async(1)
#pragma acc wait(1)
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, s = n + 2, all = s * s * s;
    double *start = NEW(double, VARIABLES * all), sum = 0;
    FILL(start, VARIABLES * all, 1);
#pragma acc enter data copyin(start[0:VARIABLES * all])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *a[VARIABLES], *b[VARIABLES], *low[VARIABLES], *high[VARIABLES], sums[STEPS * VARIABLES];
    for (int v = 0; v < VARIABLES; v++) {
        double *one = a[v] = NEW(double, all), *two = b[v] = NEW(double, all), *three = low[v] = NEW(double, s * s), *four = high[v] = NEW(double, s * s);
#pragma acc enter data create(one[0:all], two[0:all], three[0:s * s], four[0:s * s])
    }
    while (lap(&t))
        advance(n, start, a, b, low, high, sums);
    for (int k = 0; k < STEPS * VARIABLES; k++)
        sum += sums[k] * (1 + k / VARIABLES);
    for (int v = 0; v < VARIABLES; v++) {
        double *p = a[v];
#pragma acc update self(p[0:all])
        for (int z = 1; z <= n; z++)
            for (int k = 0; k < n * n; k++)
                sum += p[(z * s + 1 + k / n) * s + 1 + k % n] * (z % 3);
    }
#else
    double *a = NEW(double, VARIABLES * all), *b = NEW(double, VARIABLES * all), *sums = NEW(double, STEPS * VARIABLES * n);
#pragma acc enter data create(a[0:VARIABLES * all], b[0:VARIABLES * all], sums[0:STEPS * VARIABLES * n])
    while (lap(&t))
        advance(n, start, a, b, sums);
    for (int k = 0; k < STEPS * VARIABLES * n; k++)
        sum += sums[k] * (1 + k / (VARIABLES * n));
#pragma acc update self(a[0:VARIABLES * all])
    for (int v = 0; v < VARIABLES; v++)
        for (int z = 1; z <= n; z++)
            for (int k = 0; k < n * n; k++)
                sum += a[v * all + (z * s + 1 + k / n) * s + 1 + k % n] * (z % 3);
#endif
    report("ghost", t.best, sum);
    return 0;
}
