// Singular values of 2048 matrices of 32 x 32 doubles by one-sided Jacobi rotations (Hestenes): in each of 31 rounds of a sweep 16
// pairs of columns are made orthogonal, seven sweeps; a gang a matrix.
#include "../kernels.h"

enum { MATRICES = 2048, N = 32, SWEEPS = 7 };

#if SPELLING == 1
static void singular(int n, const double *restrict matrix, double *restrict value)
{
#pragma acc parallel loop gang num_workers(16) vector_length(32) present(matrix[0:n * N * N], value[0:n * N])
#pragma omp parallel for
    for (int m = 0; m < n; m++) {
        double a[N * N];
#pragma acc loop worker vector
        for (int k = 0; k < N * N; k++)
            a[k] = matrix[m * N * N + k];
#pragma acc loop seq
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
#pragma acc loop seq
            for (int round = 0; round < N - 1; round++) {
#pragma acc loop worker
                for (int pair = 0; pair < N / 2; pair++) {
                    int p = pair == 0 ? N - 1 : (round + pair) % (N - 1), q = (round + N - 1 - pair) % (N - 1);
                    double alpha = 0, beta = 0, gamma = 0, c = 1, s = 0;
#pragma acc loop vector reduction(+ : alpha, beta, gamma)
                    for (int k = 0; k < N; k++) {
                        alpha += a[p * N + k] * a[p * N + k];
                        beta += a[q * N + k] * a[q * N + k];
                        gamma += a[p * N + k] * a[q * N + k];
                    }
                    if (fabs(gamma) > 1e-15 * sqrt(alpha * beta)) {
                        double zeta = (beta - alpha) / (2 * gamma);
                        double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                        c = 1 / sqrt(1 + t * t);
                        s = c * t;
                    }
#pragma acc loop vector
                    for (int k = 0; k < N; k++) {
                        double u = a[p * N + k], v = a[q * N + k];
                        a[p * N + k] = c * u - s * v;
                        a[q * N + k] = s * u + c * v;
                    }
                }
            }
        }
#pragma acc loop worker
        for (int j = 0; j < N; j++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < N; k++)
                sum += a[j * N + k] * a[j * N + k];
            value[m * N + j] = sqrt(sum);
        }
    }
}
#else
#pragma acc routine seq
static void rotate(double *p, double *q)
{
    double alpha = 0, beta = 0, gamma = 0;
    for (size_t k = 0; k < N; ++k) {
        alpha += p[k] * p[k];
        beta += q[k] * q[k];
        gamma += p[k] * q[k];
    }
    if (fabs(gamma) <= 1e-15 * sqrt(alpha * beta))
        return;
    const double zeta = (beta - alpha) / (2 * gamma), t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double c = 1 / sqrt(1 + t * t), s = c * t;
    for (size_t k = 0; k < N; ++k) {
        const double u = p[k];
        p[k] = c * u - s * q[k];
        q[k] = s * u + c * q[k];
    }
}

static void singular(size_t n, const double (*matrix)[N][N], double (*value)[N])
{
#pragma acc parallel num_gangs(n) vector_length(32) present(matrix[0:n], value[0:n])
    {
        double a[N][N];
#pragma acc loop gang private(a)
#pragma omp parallel for private(a)
        for (size_t m = 0; m < n; ++m) {
#pragma acc loop vector collapse(2)
            for (size_t j = 0; j < N; ++j)
                for (size_t k = 0; k < N; ++k)
                    a[j][k] = matrix[m][j][k];
            for (unsigned step = 0; step < SWEEPS * (N - 1); ++step) {
                const unsigned round = step % (N - 1);
#pragma acc loop vector
                for (unsigned pair = 0; pair < N / 2; ++pair)
                    rotate(a[pair ? (round + pair) % (N - 1) : N - 1], a[(round + N - 1 - pair) % (N - 1)]);
            }
#pragma acc loop vector
            for (size_t j = 0; j < N; ++j) {
                double sum = 0;
                for (size_t k = 0; k < N; ++k)
                    sum += a[j][k] * a[j][k];
                value[m][j] = sqrt(sum);
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = MATRICES >> args.shift;
    double *matrix = NEW(double, n * N * N), *value = NEW(double, n * N), sum = 0;
    for (int k = 0; k < n * N * N; k++)
        matrix[k] = number(k) - 0.5 + (k % N == k / N % N ? 1 + k % N * 0.1 : 0);
#pragma acc enter data copyin(matrix[0:n * N * N]) create(value[0:n * N])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        singular(n, matrix, value);
#else
        singular(n, (const double(*)[N][N])matrix, (double(*)[N])value);
#endif
#pragma acc update self(value[0:n * N])
    for (int m = 0; m < n; m++) {
        double most = 0, least = 1e30, all = 0;
        for (int j = 0; j < N; j++) {
            most = fmax(most, value[m * N + j]);
            least = fmin(least, value[m * N + j]);
            all += value[m * N + j];
        }
        sum += all + 3 * most + 2 * least;
    }
    report("svd", t.best, sum);
    return 0;
}
