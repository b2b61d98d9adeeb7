// Eigenvalues of 2^17 symmetric matrices of 6 x 6 doubles by Jacobi's rotations: sweeps over all pairs until what is off the diagonal is small
// beside it, at most twelve; the matrices' elements lie apart.
#include "../kernels.h"

enum { MATRICES = 1 << 17, N = 6, SWEEPS = 12 };

#if SPELLING == 1
static void eigen(int m, const double *restrict in, double *restrict out)
{
#pragma acc parallel loop gang vector vector_length(128) present(in[0:N * N * m], out[0:N * m])
#pragma omp parallel for
    for (int x = 0; x < m; x++) {
        double a[N][N];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = in[(i * N + j) * m + x];
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            double off = 0, diagonal = 0;
            for (int i = 0; i < N; i++) {
                diagonal += a[i][i] * a[i][i];
                for (int j = i + 1; j < N; j++)
                    off += a[i][j] * a[i][j];
            }
            if (off < 1e-24 * diagonal)
                break;
            for (int p = 0; p < N - 1; p++)
                for (int q = p + 1; q < N; q++) {
                    if (a[p][q] == 0)
                        continue;
                    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                    double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
                    for (int k = 0; k < N; k++) {
                        double kp = a[k][p], kq = a[k][q];
                        a[k][p] = c * kp - s * kq;
                        a[k][q] = s * kp + c * kq;
                    }
                    for (int k = 0; k < N; k++) {
                        double pk = a[p][k], qk = a[q][k];
                        a[p][k] = c * pk - s * qk;
                        a[q][k] = s * pk + c * qk;
                    }
                }
        }
        for (int i = 0; i < N; i++)
            out[i * m + x] = a[i][i];
    }
}
#else
// The upper triangle, by rows.
enum { TRIANGLE = N * (N + 1) / 2 };
#define AT(i, j) ((i) < (j) ? (i) * (2 * N - 1 - (i)) / 2 + (j) : (j) * (2 * N - 1 - (j)) / 2 + (i))

#pragma acc routine seq
static void rotate(double *a, unsigned p, unsigned q)
{
    const double apq = a[AT(p, q)];
    if (apq == 0.0)
        return;
    const double h = (a[AT(q, q)] - a[AT(p, p)]) / (apq + apq);
    double t = 1.0 / (fabs(h) + sqrt(1.0 + h * h));
    if (h < 0.0)
        t = -t;
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    a[AT(p, p)] -= t * apq;
    a[AT(q, q)] += t * apq;
    a[AT(p, q)] = 0.0;
    for (unsigned k = 0; k < N; ++k) {
        if (k == p || k == q)
            continue;
        const double kp = a[AT(k, p)], kq = a[AT(k, q)];
        a[AT(k, p)] = c * kp - s * kq;
        a[AT(k, q)] = s * kp + c * kq;
    }
}

#pragma acc routine seq
static int done(const double *a)
{
    double off = 0.0, diagonal = 0.0;
    for (unsigned i = 0; i < N; ++i)
        for (unsigned j = i; j < N; ++j)
            *(i == j ? &diagonal : &off) += a[AT(i, j)] * a[AT(i, j)];
    return off < 1e-24 * diagonal;
}

static void eigen(size_t m, double *flat, double *values)
{
    double(*in)[N][m] = (double(*)[N][m])flat, (*out)[m] = (double(*)[m])values;
#pragma acc kernels loop independent present(in[0:N][0:N][0:m], out[0:N][0:m])
#pragma omp parallel for
    for (size_t x = 0; x < m; ++x) {
        double a[TRIANGLE];
        unsigned sweep = 0;
        for (unsigned i = 0; i < N; ++i)
            for (unsigned j = i; j < N; ++j)
                a[AT(i, j)] = in[i][j][x];
        while (sweep++ < SWEEPS && !done(a))
            for (unsigned p = 0; p + 1 < N; ++p)
                for (unsigned q = p + 1; q < N; ++q)
                    rotate(a, p, q);
        for (unsigned i = 0; i < N; ++i)
            out[i][x] = a[AT(i, i)];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = MATRICES >> args.shift;
    double *in = NEW(double, N *N *m), *out = NEW(double, N *m), sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            for (int x = 0; x < m; x++)
                in[(i * N + j) * m + x] = in[(j * N + i) * m + x] = number((i * N + j) * m + x) - 0.5 + (i == j) * i;
#pragma acc enter data copyin(in[0:N * N * m]) create(out[0:N * m])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        eigen(m, in, out);
#pragma acc update self(out[0:N * m])
    for (int k = 0; k < N * m; k++)
        sum += sqrt(fabs(out[k])) + out[k] * out[k] * out[k];
    report("eigen", t.best, sum);
    return 0;
}
