// Inverses of 2^18 matrices of 4 x 4 doubles by elimination with pivots.
#include "../kernels.h"

enum { MATRICES = 1 << 18, ORDER = 4 };

#if SPELLING == 1
static void invert(int n, const double *restrict in, double *restrict out)
{
#pragma acc parallel loop present(in[0:n * ORDER * ORDER], out[0:n * ORDER * ORDER])
#pragma omp parallel for
    for (int m = 0; m < n; m++) {
        double a[ORDER][2 * ORDER];
        for (int i = 0; i < ORDER; i++)
            for (int j = 0; j < ORDER; j++) {
                a[i][j] = in[(m * ORDER + i) * ORDER + j];
                a[i][ORDER + j] = i == j;
            }
        for (int k = 0; k < ORDER; k++) {
            int pivot = k;
            for (int i = k + 1; i < ORDER; i++)
                if (fabs(a[i][k]) > fabs(a[pivot][k]))
                    pivot = i;
            for (int j = 0; j < 2 * ORDER; j++) {
                double t = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = t;
            }
            double scale = 1 / a[k][k];
            for (int j = 0; j < 2 * ORDER; j++)
                a[k][j] *= scale;
            for (int i = 0; i < ORDER; i++)
                if (i != k) {
                    double factor = a[i][k];
                    for (int j = 0; j < 2 * ORDER; j++)
                        a[i][j] -= factor * a[k][j];
                }
        }
        for (int i = 0; i < ORDER; i++)
            for (int j = 0; j < ORDER; j++)
                out[(m * ORDER + i) * ORDER + j] = a[i][ORDER + j];
    }
}
#else
typedef struct {
    double v[ORDER][ORDER];
} matrix;

#pragma acc routine seq
static void swap_rows(double *a, double *b)
{
    for (int j = 0; j < ORDER; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

// row -= factor * other
#pragma acc routine seq
static void subtract(double *row, double factor, const double *other)
{
    for (int j = 0; j < ORDER; j++)
        row[j] -= factor * other[j];
}

#pragma acc routine seq
static matrix inverse_of(matrix m)
{
    matrix r = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    for (int k = 0; k < ORDER; k++) {
        int pivot = k;
        for (int i = k + 1; i < ORDER; i++)
            pivot = fabs(m.v[i][k]) > fabs(m.v[pivot][k]) ? i : pivot;
        if (pivot != k) {
            swap_rows(m.v[k], m.v[pivot]);
            swap_rows(r.v[k], r.v[pivot]);
        }
        double scale = 1 / m.v[k][k];
        for (int j = 0; j < ORDER; j++) {
            m.v[k][j] *= scale;
            r.v[k][j] *= scale;
        }
        for (int i = 0; i < ORDER; i++) {
            if (i == k)
                continue;
            double factor = m.v[i][k];
            subtract(m.v[i], factor, m.v[k]);
            subtract(r.v[i], factor, r.v[k]);
        }
    }
    return r;
}

static void invert(size_t n, double *in, double *out)
{
    const matrix *a = (const matrix *)in;
    matrix *b = (matrix *)out;
#pragma acc parallel loop gang vector present(a[0:n], b[0:n])
#pragma omp parallel for
    for (size_t m = 0; m < n; ++m)
        b[m] = inverse_of(a[m]);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = MATRICES >> args.shift, size = n * ORDER * ORDER;
    double *in = NEW(double, size), *out = NEW(double, size), sum = 0;
    for (int k = 0; k < size; k++)
        in[k] = number(k) - 0.3 + (k % 5 == 0) * (k % 2 ? 2 : -2);
#pragma acc enter data copyin(in[0:size]) create(out[0:size])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        invert(n, in, out);
#pragma acc update self(out[0:size])
    for (int k = 0; k < size; k++)
        sum += fabs(out[k]) < 10 ? fabs(out[k]) : 10;
    report("inverse", t.best, sum);
    return 0;
}
