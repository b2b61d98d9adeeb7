// 8192 dense systems of 32 equations, double, by elimination with the largest of each column as the pivot: a gang for each system; the unknowns, and
// the logarithm of each determinant's size.
#include "../kernels.h"

enum { BATCH = 8192, M = 32 };

#if SPELLING == 1
// Factors in place of the matrices, unknowns in place of the right sides.
static void solve(int batch, const double *restrict a, const double *restrict b, double *restrict lu, double *restrict x, double *restrict size)
{
#pragma acc parallel loop gang present(a[0:batch * M * M], b[0:batch * M], lu[0:batch * M * M], x[0:batch * M], size[0:batch])
#pragma omp parallel for
    for (int s = 0; s < batch; s++) {
        double *m = lu + s * M * M, *y = x + s * M, logarithm = 0;
#pragma acc loop vector
        for (int e = 0; e < M * M; e++)
            m[e] = a[s * M * M + e];
#pragma acc loop vector
        for (int i = 0; i < M; i++)
            y[i] = b[s * M + i];
#pragma acc loop seq
        for (int k = 0; k < M; k++) {
            double most = 0;
            int p = M - 1;
#pragma acc loop vector reduction(max : most)
            for (int i = k; i < M; i++)
                most = fmax(most, fabs(m[i * M + k]));
#pragma acc loop vector reduction(min : p)
            for (int i = k; i < M; i++)
                if (fabs(m[i * M + k]) == most && i < p)
                    p = i;
            logarithm += log(most);
            if (p != k) {
                double swap = y[k];
                y[k] = y[p];
                y[p] = swap;
#pragma acc loop vector
                for (int j = 0; j < M; j++) {
                    double above = m[k * M + j];
                    m[k * M + j] = m[p * M + j];
                    m[p * M + j] = above;
                }
            }
#pragma acc loop vector
            for (int i = k + 1; i < M; i++) {
                m[i * M + k] /= m[k * M + k];
                y[i] -= m[i * M + k] * y[k];
            }
#pragma acc loop vector collapse(2)
            for (int i = k + 1; i < M; i++)
                for (int j = k + 1; j < M; j++)
                    m[i * M + j] -= m[i * M + k] * m[k * M + j];
        }
#pragma acc loop seq
        for (int k = M - 1; k >= 0; k--) {
            double known = 0;
#pragma acc loop vector reduction(+ : known)
            for (int j = k + 1; j < M; j++)
                known += m[k * M + j] * y[j];
            y[k] = (y[k] - known) / m[k * M + k];
        }
        size[s] = logarithm;
    }
}
#else
typedef struct { double a[M][M], b[M]; } equations;
typedef struct { double x[M], size; } solution;

#define SWAP(type, p, q)       \
    do {                       \
        const type swap_ = p;  \
        p = q;                 \
        q = swap_;             \
    } while (0)

static void solve(size_t batch, const equations *systems, solution *solutions)
{
#pragma acc parallel num_gangs(batch) vector_length(64) present(systems[0:batch], solutions[0:batch])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (size_t s = 0; s < batch; ++s) {
            // The matrix, and the right side as one more column.
            double m[M][M + 1], size = 0.0;
#pragma acc loop vector collapse(2)
            for (int i = 0; i < M; ++i)
                for (int j = 0; j <= M; ++j)
                    m[i][j] = j < M ? systems[s].a[i][j] : systems[s].b[i];
            for (int k = 0; k < M; ++k) {
                double largest = -1.0;
                int pivot = M;
#pragma acc loop vector reduction(max : largest)
                for (int i = k; i < M; ++i)
                    if (fabs(m[i][k]) > largest)
                        largest = fabs(m[i][k]);
#pragma acc loop vector reduction(min : pivot)
                for (int i = k; i < M; ++i)
                    if (fabs(m[i][k]) >= largest)
                        pivot = i < pivot ? i : pivot;
                size += log(largest);
#pragma acc loop vector
                for (int j = k; j <= M; ++j)
                    SWAP(double, m[k][j], m[pivot][j]);
#pragma acc loop vector
                for (int j = k + 1; j <= M; ++j) {
                    const double factor = m[k][j] / m[k][k];
                    for (int i = k + 1; i < M; ++i)
                        m[i][j] -= m[i][k] * factor;
                }
            }
            for (int k = M - 1; k >= 0; --k) {
                const double x = m[k][M] / m[k][k];
                solutions[s].x[k] = x;
#pragma acc loop vector
                for (int i = 0; i < k; ++i)
                    m[i][M] -= m[i][k] * x;
            }
            solutions[s].size = size;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = BATCH >> args.shift;
    double *a = NEW(double, batch *M *M), *b = NEW(double, batch *M), *x = NEW(double, batch *M), *size = NEW(double, batch), sum = 0;
    for (int i = 0; i < batch * M * M; i++)
        a[i] = number(i) - 0.5;
    FILL(b, batch * M, 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *lu = NEW(double, batch *M *M);
#pragma acc enter data copyin(a[0:batch * M * M], b[0:batch * M]) create(lu[0:batch * M * M], x[0:batch * M], size[0:batch])
    while (lap(&t))
        solve(batch, a, b, lu, x, size);
#pragma acc update self(x[0:batch * M], size[0:batch])
#else
    equations *systems = NEW(equations, batch);
    solution *solutions = NEW(solution, batch);
    for (int s = 0; s < batch; s++)
        for (int i = 0; i < M; i++) {
            systems[s].b[i] = b[s * M + i];
            for (int j = 0; j < M; j++)
                systems[s].a[i][j] = a[(s * M + i) * M + j];
        }
#pragma acc enter data copyin(systems[0:batch]) create(solutions[0:batch])
    while (lap(&t))
        solve(batch, systems, solutions);
#pragma acc update self(solutions[0:batch])
    for (int s = 0; s < batch; s++) {
        size[s] = solutions[s].size;
        for (int i = 0; i < M; i++)
            x[s * M + i] = solutions[s].x[i];
    }
#endif
    for (int i = 0; i < batch * M; i++)
        sum += fmin(fabs(x[i]), 10) * (i % 7 + 1);
    SUM(sum, size, batch);
    report("pivots", t.best, sum);
    return 0;
}
