// What a velocity carries of a scalar in 4096 spectral elements of 8 x 8 x 8 points, double, without aliasing: derivatives along three directions are brought to
// 12 x 12 x 12 points, multiplied there by the velocities, and brought back.
#include "../kernels.h"

enum { ELEMENTS = 4096, N = 8, M = 12, COARSE = N * N * N, FINE = M * M * M };

#if SPELLING == 1
static void convect(int n, const double *restrict derive, const double *restrict bring, const double *restrict t, const double *restrict velocity,
                    double *restrict result)
{
#pragma acc parallel loop gang vector_length(128) \
    present(derive[0:N * N], bring[0:M * N], t[0:n * COARSE], velocity[0:3 * n * FINE], result[0:n * COARSE])
#pragma omp parallel for
    for (int e = 0; e < n; e++) {
        double slope[COARSE], one[M * N * N], two[M * M * N], sum[FINE];
#pragma acc loop vector
        for (int p = 0; p < FINE; p++)
            sum[p] = 0;
#pragma acc loop seq
        for (int direction = 0; direction < 3; direction++) {
            int step = direction == 0 ? 1 : direction == 1 ? N : N * N;
#pragma acc loop vector collapse(3)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++) {
                        int at = (k * N + j) * N + i, own = direction == 0 ? i : direction == 1 ? j : k;
                        double s = 0;
                        for (int l = 0; l < N; l++)
                            s += derive[own * N + l] * t[e * COARSE + at + (l - own) * step];
                        slope[at] = s;
                    }
#pragma acc loop vector collapse(3)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < M; i++) {
                        double s = 0;
                        for (int l = 0; l < N; l++)
                            s += bring[i * N + l] * slope[(k * N + j) * N + l];
                        one[(k * N + j) * M + i] = s;
                    }
#pragma acc loop vector collapse(3)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < M; j++)
                    for (int i = 0; i < M; i++) {
                        double s = 0;
                        for (int l = 0; l < N; l++)
                            s += bring[j * N + l] * one[(k * N + l) * M + i];
                        two[(k * M + j) * M + i] = s;
                    }
#pragma acc loop vector collapse(3)
            for (int k = 0; k < M; k++)
                for (int j = 0; j < M; j++)
                    for (int i = 0; i < M; i++) {
                        double s = 0;
                        for (int l = 0; l < N; l++)
                            s += bring[k * N + l] * two[(l * M + j) * M + i];
                        sum[(k * M + j) * M + i] += s * velocity[(direction * n + e) * FINE + (k * M + j) * M + i];
                    }
        }
        // And back with the transpose.
#pragma acc loop vector collapse(3)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < M; j++)
                for (int i = 0; i < M; i++) {
                    double s = 0;
                    for (int l = 0; l < M; l++)
                        s += bring[l * N + k] * sum[(l * M + j) * M + i];
                    two[(k * M + j) * M + i] = s;
                }
#pragma acc loop vector collapse(3)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++) {
                    double s = 0;
                    for (int l = 0; l < M; l++)
                        s += bring[l * N + j] * two[(k * M + l) * M + i];
                    one[(k * N + j) * M + i] = s;
                }
#pragma acc loop vector collapse(3)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    double s = 0;
                    for (int l = 0; l < M; l++)
                        s += bring[l * N + i] * one[(k * N + j) * M + l];
                    result[e * COARSE + (k * N + j) * N + i] = s;
                }
    }
}
#else
// Derivatives at the fine points at once: one matrix brings values, another slopes.
struct basis { double value[M][N], slope[M][N]; };

typedef double coarse[N][N][N];
typedef double fine[M][M][M];

static void convect(size_t n, const struct basis *basis, coarse *t, fine *vx, fine *vy, fine *vz, coarse *result)
{
    double x[2][N][N][M], y[3][N][M][M], product[M][M][M];
#pragma acc parallel loop gang private(x, y, product) vector_length(144) \
    present(basis[0:1], t[0:n], vx[0:n], vy[0:n], vz[0:n], result[0:n])
#pragma omp parallel for private(x, y, product)
    for (size_t e = 0; e < n; ++e) {
#pragma acc loop vector collapse(3)
        for (unsigned k = 0; k < N; ++k)
            for (unsigned j = 0; j < N; ++j)
                for (unsigned i = 0; i < M; ++i) {
                    double value = 0, slope = 0;
                    for (unsigned l = 0; l < N; ++l) {
                        value += basis->value[i][l] * t[e][k][j][l];
                        slope += basis->slope[i][l] * t[e][k][j][l];
                    }
                    x[0][k][j][i] = value;
                    x[1][k][j][i] = slope;
                }
#pragma acc loop vector collapse(2)
        for (unsigned j = 0; j < M; ++j)
            for (unsigned i = 0; i < M; ++i) {
                for (unsigned k = 0; k < N; ++k) {
                    double value = 0, along_x = 0, along_y = 0;
                    for (unsigned l = 0; l < N; ++l) {
                        value += basis->value[j][l] * x[0][k][l][i];
                        along_y += basis->slope[j][l] * x[0][k][l][i];
                        along_x += basis->value[j][l] * x[1][k][l][i];
                    }
                    y[0][k][j][i] = along_x;
                    y[1][k][j][i] = along_y;
                    y[2][k][j][i] = value;
                }
            }
#pragma acc loop vector collapse(2)
        for (unsigned j = 0; j < M; ++j)
            for (unsigned i = 0; i < M; ++i) {
                for (unsigned k = 0; k < M; ++k) {
                    double along_x = 0, along_y = 0, along_z = 0;
                    for (unsigned l = 0; l < N; ++l) {
                        along_x += basis->value[k][l] * y[0][l][j][i];
                        along_y += basis->value[k][l] * y[1][l][j][i];
                        along_z += basis->slope[k][l] * y[2][l][j][i];
                    }
                    product[k][j][i] = vx[e][k][j][i] * along_x + vy[e][k][j][i] * along_y + vz[e][k][j][i] * along_z;
                }
                for (unsigned k = 0; k < N; ++k) {
                    double sum = 0;
                    for (unsigned l = 0; l < M; ++l)
                        sum += basis->value[l][k] * product[l][j][i];
                    y[0][k][j][i] = sum;
                }
            }
#pragma acc loop vector collapse(3)
        for (unsigned k = 0; k < N; ++k)
            for (unsigned j = 0; j < N; ++j)
                for (unsigned i = 0; i < M; ++i) {
                    double sum = 0;
                    for (unsigned l = 0; l < M; ++l)
                        sum += basis->value[l][j] * y[0][k][l][i];
                    x[0][k][j][i] = sum;
                }
#pragma acc loop vector collapse(3)
        for (unsigned k = 0; k < N; ++k)
            for (unsigned j = 0; j < N; ++j)
                for (unsigned i = 0; i < N; ++i) {
                    double sum = 0;
                    for (unsigned l = 0; l < M; ++l)
                        sum += basis->value[l][i] * x[0][k][j][l];
                    result[e][k][j][i] = sum;
                }
    }
}
#endif

// Derivatives of Lagrange's polynomials at their own points, and their values at the fine points.
static void matrices(double *derive, double *bring)
{
    double at[N], weight[N];
    for (int i = 0; i < N; i++)
        at[i] = -cos(3.14159265358979323846 * i / (N - 1));
    for (int i = 0; i < N; i++) {
        weight[i] = 1;
        for (int j = 0; j < N; j++)
            weight[i] *= j == i ? 1 : at[i] - at[j];
    }
    for (int i = 0; i < N; i++) {
        derive[i * N + i] = 0;
        for (int j = 0; j < N; j++)
            if (j != i) {
                derive[i * N + j] = weight[i] / weight[j] / (at[i] - at[j]);
                derive[i * N + i] -= derive[i * N + j];
            }
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double x = -cos(3.14159265358979323846 * (2 * i + 1) / (2 * M)), product = 1 / weight[j];
            for (int l = 0; l < N; l++)
                product *= l == j ? 1 : x - at[l];
            bring[i * N + j] = product;
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift;
    double derive[N * N], bring[M * N], *t = NEW(double, n * COARSE), *velocity = NEW(double, 3 * n * FINE), *result = NEW(double, n * COARSE), sum = 0;
    matrices(derive, bring);
    FILL(t, n * COARSE, 1);
    FILL(velocity, 3 * n * FINE, 0.1);
#pragma acc enter data copyin(t[0:n * COARSE], velocity[0:3 * n * FINE]) create(result[0:n * COARSE])
#if SPELLING == 1
#pragma acc enter data copyin(derive[0:N * N], bring[0:M * N])
#else
    struct basis *basis = NEW(struct basis, 1);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            basis->value[i][j] = bring[i * N + j];
            basis->slope[i][j] = 0;
            for (int l = 0; l < N; l++)
                basis->slope[i][j] += bring[i * N + l] * derive[l * N + j];
        }
#pragma acc enter data copyin(basis[0:1])
#endif
    struct watch watched = watch(args.repeats);
    while (lap(&watched)) {
#if SPELLING == 1
        convect(n, derive, bring, t, velocity, result);
#else
        double *vx = velocity, *vy = vx + n * FINE, *vz = vy + n * FINE;
        convect(n, basis, (void *)t, (void *)vx, (void *)vy, (void *)vz, (void *)result);
#endif
    }
#pragma acc update self(result[0:n * COARSE])
    for (int k = 0; k < n * COARSE; k++)
        sum += fabs(result[k]) * (1 + k % 3);
    report("dealias", watched.best, sum);
    return 0;
}
