// 2^15 problems of least squares with 64 equations and 12 unknowns each, double, by Householder's reflections: a gang a problem with its matrix in an array
// of its own; the unknowns and the squares that remain. The second spelling takes in one equation after the other by Givens' rotations, a thread a problem.
#include "../kernels.h"

enum { PROBLEMS = 1 << 15, ROWS = 64, COLUMNS = 12 };

#if SPELLING == 1
static void fit(int problems, const double *restrict a, const double *restrict b, double *restrict x, double *restrict rest)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) present(a[0:problems * ROWS * COLUMNS], b[0:problems * ROWS], x[0:problems * COLUMNS], \
                                                                            rest[0:problems])
#pragma omp parallel for
    for (int p = 0; p < problems; p++) {
        double m[(COLUMNS + 1) * ROWS], diagonal[COLUMNS], remains = 0;
#pragma acc loop worker
        for (int c = 0; c <= COLUMNS; c++) {
#pragma acc loop vector
#pragma omp simd
            for (int r = 0; r < ROWS; r++)
                m[c * ROWS + r] = c < COLUMNS ? a[(p * COLUMNS + c) * ROWS + r] : b[p * ROWS + r];
        }
#pragma acc loop seq
        for (int k = 0; k < COLUMNS; k++) {
            double norm = 0;
#pragma acc loop vector reduction(+ : norm)
#pragma omp simd reduction(+ : norm)
            for (int r = k; r < ROWS; r++)
                norm += m[k * ROWS + r] * m[k * ROWS + r];
            double head = m[k * ROWS + k], alpha = head > 0 ? -sqrt(norm) : sqrt(norm), beta = 1 / (norm - alpha * head);
            diagonal[k] = alpha;
            m[k * ROWS + k] = head - alpha;
#pragma acc loop worker
            for (int c = k + 1; c <= COLUMNS; c++) {
                double dot = 0;
#pragma acc loop vector reduction(+ : dot)
#pragma omp simd reduction(+ : dot)
                for (int r = k; r < ROWS; r++)
                    dot += m[k * ROWS + r] * m[c * ROWS + r];
                dot *= beta;
#pragma acc loop vector
#pragma omp simd
                for (int r = k; r < ROWS; r++)
                    m[c * ROWS + r] -= dot * m[k * ROWS + r];
            }
        }
#pragma acc loop vector reduction(+ : remains)
#pragma omp simd reduction(+ : remains)
        for (int r = COLUMNS; r < ROWS; r++)
            remains += m[COLUMNS * ROWS + r] * m[COLUMNS * ROWS + r];
        rest[p] = remains;
#pragma acc loop seq
        for (int k = COLUMNS - 1; k >= 0; k--) {
            double sum = m[COLUMNS * ROWS + k];
            for (int c = k + 1; c < COLUMNS; c++)
                sum -= m[c * ROWS + k] * x[p * COLUMNS + c];
            x[p * COLUMNS + k] = sum / diagonal[k];
        }
    }
}
#else
// Number e of all problems together.
#define A(r, c) a[(size_t)((r) * COLUMNS + (c)) * problems + p]

static void fit(size_t problems, double *a, double *b, double *x, double *rest)
{
#pragma acc parallel loop present(a[0:problems * ROWS * COLUMNS], b[0:problems * ROWS], x[0:problems * COLUMNS], rest[0:problems])
#pragma omp parallel for
    for (size_t p = 0; p < problems; ++p) {
        double r[COLUMNS][COLUMNS + 1] = {{0}}, remains = 0;
        for (int e = 0; e < ROWS; ++e) {
            double row[COLUMNS + 1];
            for (int c = 0; c < COLUMNS; ++c)
                row[c] = A(e, c);
            row[COLUMNS] = b[e * problems + p];
            for (int k = 0; k < COLUMNS; ++k) {
                double length = sqrt(r[k][k] * r[k][k] + row[k] * row[k]);
                if (length == 0)
                    continue;
                double cosine = r[k][k] / length, sine = row[k] / length;
                for (int c = k; c <= COLUMNS; ++c) {
                    double upper = r[k][c];
                    r[k][c] = cosine * upper + sine * row[c];
                    row[c] = cosine * row[c] - sine * upper;
                }
            }
            remains += row[COLUMNS] * row[COLUMNS];
        }
        rest[p] = remains;
        for (int k = COLUMNS - 1; k >= 0; --k) {
            for (int c = k + 1; c < COLUMNS; ++c)
                r[k][COLUMNS] -= r[k][c] * r[c][COLUMNS];
            r[k][COLUMNS] /= r[k][k];
            x[k * problems + p] = r[k][COLUMNS];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int problems = PROBLEMS >> args.shift, all = problems * ROWS * COLUMNS;
    double *a = NEW(double, all), *b = NEW(double, problems *ROWS), *x = NEW(double, problems *COLUMNS), *rest = NEW(double, problems), sum = 0;
    for (int p = 0; p < problems; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c <= COLUMNS; c++) {
                double value = number((p * ROWS + r) * (COLUMNS + 1) + c);
#if SPELLING == 1
                if (c < COLUMNS)
                    a[(p * COLUMNS + c) * ROWS + r] = value;
                else
                    b[p * ROWS + r] = value;
#else
                if (c < COLUMNS)
                    a[(r * COLUMNS + c) * problems + p] = value;
                else
                    b[r * problems + p] = value;
#endif
            }
#pragma acc enter data copyin(a[0:all], b[0:problems * ROWS]) create(x[0:problems * COLUMNS], rest[0:problems])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        fit(problems, a, b, x, rest);
#pragma acc update self(x[0:problems * COLUMNS], rest[0:problems])
    SUM(sum, x, problems *COLUMNS);
    SUM(sum, rest, problems);
    report("fit", t.best, sum);
    return 0;
}
