// Smoothing as in HPCG, double: two symmetric sweeps of Gauss and Seidel through a sparse matrix of 27 points on 96^3 unknowns, whose rows
// are in the order of eight colours, and after each the norm of what is left; entry k of all rows together.
#include "../kernels.h"

enum { SIDE = 96, MOST = 27, COLOURS = 8, SWEEPS = 2 };

#if SPELLING == 1
static void smooth(int n, const int *restrict first, const int *restrict column, const double *restrict value,
                   const double *restrict diagonal, const double *restrict b, double *restrict x, double *restrict norms)
{
#pragma acc data present(column[0:MOST * n], value[0:MOST * n], diagonal[0:n], b[0:n], x[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = 0;
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int step = 0; step < 2 * COLOURS; step++) {
                int colour = step < COLOURS ? step : 2 * COLOURS - 1 - step;
#pragma acc parallel loop gang vector
#pragma omp parallel for
                for (int i = first[colour]; i < first[colour + 1]; i++) {
                    double sum = b[i] + x[i] * diagonal[i];
                    for (int k = 0; k < MOST; k++)
                        if (column[k * n + i] >= 0)
                            sum -= value[k * n + i] * x[column[k * n + i]];
                    x[i] = sum / diagonal[i];
                }
            }
            double norm = 0;
#pragma acc parallel loop reduction(+ : norm)
#pragma omp parallel for reduction(+ : norm)
            for (int i = 0; i < n; i++) {
                double r = b[i];
                for (int k = 0; k < MOST; k++)
                    if (column[k * n + i] >= 0)
                        r -= value[k * n + i] * x[column[k * n + i]];
                norm += r * r;
            }
            norms[sweep] = sqrt(norm);
        }
    }
}
#else
enum { PART = 1024 };

struct matrix { size_t n; int *column; double *value, *diagonal; };

#define SWEEP(m, from, to, b, x)                                                                                    \
    _Pragma("acc parallel loop independent vector_length(128) default(present) async(1)")                           \
    _Pragma("omp parallel for")                                                                                     \
    for (size_t i = from; i < to; ++i) {                                                                            \
        double sum = b[i];                                                                                          \
        for (size_t k = i; k < MOST * m->n; k += m->n)                                                              \
            if (m->column[k] >= 0 && (size_t)m->column[k] != i)                                                     \
                sum -= m->value[k] * x[m->column[k]];                                                               \
        x[i] = sum / m->diagonal[i];                                                                                \
    }

static void smooth(const struct matrix *m, const int *first, double *b, double *x, double *norms)
{
    const size_t n = m->n;
#pragma acc parallel loop present(x[0:n]) async(1)
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        x[i] = 0;
#pragma acc data create(norms[0:SWEEPS])
    {
        for (unsigned sweep = 0; sweep < SWEEPS; ++sweep) {
            for (int c = 0; c < COLOURS; ++c) {
                const size_t from = first[c], to = first[c + 1];
                SWEEP(m, from, to, b, x)
            }
            for (int c = COLOURS; c-- > 0;) {
                const size_t from = first[c], to = first[c + 1];
                SWEEP(m, from, to, b, x)
            }
#pragma acc serial present(norms[0:SWEEPS]) async(1)
            norms[sweep] = 0;
#pragma acc parallel loop gang present(m, m->column[0:MOST * n], m->value[0:MOST * n], b[0:n], x[0:n]) \
    present(norms[0:SWEEPS]) async(1)
#pragma omp parallel for
            for (size_t part = 0; part < n; part += PART) {
                const size_t end = part + PART < n ? part + PART : n;
                double norm = 0;
#pragma acc loop vector reduction(+ : norm)
                for (size_t i = part; i < end; ++i) {
                    double r = b[i];
                    for (size_t k = 0; k < MOST; ++k) {
                        const int j = m->column[k * n + i];
                        r -= j < 0 ? 0 : m->value[k * n + i] * x[j];
                    }
                    norm += r * r;
                }
#pragma acc atomic
#pragma omp atomic
                norms[sweep] += norm;
            }
        }
#pragma acc update self(norms[0:SWEEPS]) async(1)
#pragma acc wait(1)
    }
    for (unsigned sweep = 0; sweep < SWEEPS; ++sweep)
        norms[sweep] = sqrt(norms[sweep]);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, *column = NEW(int, MOST * n), *place = NEW(int, n);
    int first[COLOURS + 1] = {0}, *from = NEW(int, n);
    double *value = NEW(double, MOST * n), *diagonal = NEW(double, n), *b = NEW(double, n), *x = NEW(double, n);
    double norms[SWEEPS], sum = 0;
    for (int c = 0, next = 0; c < COLOURS; c++) {
        for (int i = 0; i < n; i++)
            if (i % 2 + i / SIDE % 2 * 2 + i / (SIDE * SIDE) % 2 * 4 == c) {
                place[i] = next;
                from[next++] = i;
            }
        first[c + 1] = next;
    }
    for (int r = 0; r < n; r++) {
        int i = from[r];
        for (int k = 0; k < MOST; k++) {
            int x = i % SIDE + k % 3 - 1, y = i / SIDE % SIDE + k / 3 % 3 - 1, z = i / (SIDE * SIDE) + k / 9 - 1;
            int inside = x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < depth;
            column[k * n + r] = inside ? place[(z * SIDE + y) * SIDE + x] : -1;
            value[k * n + r] = k == MOST / 2 ? 26 : -1;
        }
        diagonal[r] = 26;
        b[r] = number(i);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(column[0:MOST * n], value[0:MOST * n], diagonal[0:n], b[0:n]) create(x[0:n])
    while (lap(&t))
        smooth(n, first, column, value, diagonal, b, x, norms);
#else
    struct matrix all = {n, column, value, diagonal}, *m = &all;
#pragma acc enter data copyin(m[0:1], m->column[0:MOST * n], m->value[0:MOST * n], m->diagonal[0:n], b[0:n]) create(x[0:n])
    while (lap(&t))
        smooth(m, first, b, x, norms);
#endif
#pragma acc update self(x[0:n])
    for (int r = 0; r < n; r++)
        sum += x[r] * (1 + from[r] % 3);
    report("symgs", t.best, sum + norms[0] + 2 * norms[1]);
    return 0;
}
