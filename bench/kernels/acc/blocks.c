// Lines of 5 x 5 blocks, 4096 of 64 cells each, double: every block is eliminated by its pivots with its right side, and what the cell
// before gives is subtracted first.
#include "../kernels.h"

enum { LINES = 4096, CELLS = 64, M = 5 };

#if SPELLING == 1
#define A(i, j) a[((i)*M + (j)) * lines * cells + c * lines + line]

static void solve(int lines, int cells, const double *restrict a, const double *restrict b, const double *restrict right,
                  double *restrict out)
{
    int all = lines * cells;
#pragma acc parallel loop present(a[0:25 * all], b[0:25 * all], right[0:5 * all], out[0:5 * all])
#pragma omp parallel for
    for (int line = 0; line < lines; line++) {
        double before[M] = {0};
        for (int c = 0; c < cells; c++) {
            double m[M][M], r[M];
            for (int i = 0; i < M; i++) {
                r[i] = right[i * all + c * lines + line];
                for (int j = 0; j < M; j++) {
                    m[i][j] = A(i, j);
                    r[i] -= b[(i * M + j) * all + c * lines + line] * before[j];
                }
            }
            for (int p = 0; p < M; p++) {
                double pivot = 1 / m[p][p];
                for (int j = p + 1; j < M; j++)
                    m[p][j] *= pivot;
                r[p] *= pivot;
                for (int i = 0; i < M; i++)
                    if (i != p) {
                        double factor = m[i][p];
                        for (int j = p + 1; j < M; j++)
                            m[i][j] -= factor * m[p][j];
                        r[i] -= factor * r[p];
                    }
            }
            for (int i = 0; i < M; i++)
                out[i * all + c * lines + line] = before[i] = r[i];
        }
    }
}
#else
typedef struct { double at[M][M]; } block;
typedef struct { double at[M]; } column;

static void load(block *to, const double *from, size_t all)
{
    double *at = &to->at[0][0];
    for (int k = 0; k < M * M; ++k)
        at[k] = from[k * all];
}

static column less_product(column r, const block *b, column x)
{
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < M; ++j)
            r.at[i] -= b->at[i][j] * x.at[j];
    return r;
}

static void eliminate(double m[M][M], double r[M])
{
    for (int p = 0; p < M; ++p) {
        double pivot = 1.0 / m[p][p];
        for (int j = p + 1; j < M; ++j)
            m[p][j] *= pivot;
        r[p] *= pivot;
        for (int i = 0; i < M; ++i) {
            if (i == p)
                continue;
            double factor = m[i][p];
            for (int j = p + 1; j < M; ++j)
                m[i][j] -= factor * m[p][j];
            r[i] -= factor * r[p];
        }
    }
}

static void solve(size_t lines, size_t cells, double *a, double *b, double *right, double *out)
{
    size_t all = lines * cells;
#pragma acc kernels loop gang vector independent present(a[0:25 * all], b[0:25 * all], right[0:5 * all], out[0:5 * all])
#pragma omp parallel for
    for (size_t line = 0; line < lines; ++line) {
        column x = {{0, 0, 0, 0, 0}};
        for (size_t cell = line; cell < all; cell += lines) {
            block m, from;
            load(&m, a + cell, all);
            load(&from, b + cell, all);
            column r;
            for (int i = 0; i < M; ++i)
                r.at[i] = right[i * all + cell];
            r = less_product(r, &from, x);
            eliminate(m.at, r.at);
            for (int i = 0; i < M; ++i)
                out[i * all + cell] = r.at[i];
            x = r;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int lines = LINES >> args.shift, cells = CELLS, all = lines * cells;
    double *a = NEW(double, 25 * all), *b = NEW(double, 25 * all), *right = NEW(double, 5 * all), *out = NEW(double, 5 * all), sum = 0;
    for (int k = 0; k < 25 * all; k++) {
        a[k] = number(k) + (k / all % 6 == 0) * 8;
        b[k] = number(3 * k);
    }
    FILL(right, 5 * all, 1);
#pragma acc enter data copyin(a[0:25 * all], b[0:25 * all], right[0:5 * all]) create(out[0:5 * all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        solve(lines, cells, a, b, right, out);
#pragma acc update self(out[0:5 * all])
    for (int k = 0; k < 5 * all; k++)
        sum += fabs(out[k]);
    report("blocks", t.best, sum);
    return 0;
}
