// The stiffness operator of 4096 spectral elements of 8 x 8 x 8 points, double: derivatives along three directions by a small matrix,
// six geometric factors for each point, and the transposed derivatives.
#include "../kernels.h"

enum { ELEMENTS = 4096, P = 8, CUBE = P * P * P };

#if SPELLING == 1
static void stiffness(int n, const double *restrict d, const double *restrict g, const double *restrict u, double *restrict w)
{
#pragma acc parallel loop gang vector_length(128) present(d[0:P * P], g[0:6 * CUBE * n], u[0:CUBE * n], w[0:CUBE * n])
#pragma omp parallel for
    for (int e = 0; e < n; e++) {
        double wr[CUBE], ws[CUBE], wt[CUBE];
#pragma acc loop vector collapse(3)
        for (int k = 0; k < P; k++)
            for (int j = 0; j < P; j++)
                for (int i = 0; i < P; i++) {
                    double ur = 0, us = 0, ut = 0;
                    for (int l = 0; l < P; l++) {
                        ur += d[i * P + l] * u[e * CUBE + (k * P + j) * P + l];
                        us += d[j * P + l] * u[e * CUBE + (k * P + l) * P + i];
                        ut += d[k * P + l] * u[e * CUBE + (l * P + j) * P + i];
                    }
                    int at = (k * P + j) * P + i, ge = 6 * CUBE * e + at;
                    wr[at] = g[ge] * ur + g[ge + CUBE] * us + g[ge + 2 * CUBE] * ut;
                    ws[at] = g[ge + CUBE] * ur + g[ge + 3 * CUBE] * us + g[ge + 4 * CUBE] * ut;
                    wt[at] = g[ge + 2 * CUBE] * ur + g[ge + 4 * CUBE] * us + g[ge + 5 * CUBE] * ut;
                }
#pragma acc loop vector collapse(3)
        for (int k = 0; k < P; k++)
            for (int j = 0; j < P; j++)
                for (int i = 0; i < P; i++) {
                    double sum = 0;
                    for (int l = 0; l < P; l++)
                        sum += d[l * P + i] * wr[(k * P + j) * P + l] + d[l * P + j] * ws[(k * P + l) * P + i] +
                               d[l * P + k] * wt[(l * P + j) * P + i];
                    w[e * CUBE + (k * P + j) * P + i] = sum;
                }
    }
}
#else
typedef double cube[P][P][P];
struct gradient { cube r, s, t; };

static void stiffness(size_t n, double (*d)[P], cube (*g)[6], cube *u, cube *w)
{
    struct gradient q;
#pragma acc parallel loop gang private(q) present(d[0:P], g[0:n], u[0:n], w[0:n])
#pragma omp parallel for private(q)
    for (size_t e = 0; e < n; ++e) {
        // a column of eight points for each lane
#pragma acc loop vector collapse(2)
        for (size_t j = 0; j < P; ++j)
            for (size_t i = 0; i < P; ++i)
#pragma acc loop seq
                for (size_t k = 0; k < P; ++k) {
                    double r = 0, s = 0, t = 0;
                    for (size_t l = 0; l < P; ++l) {
                        r += d[i][l] * u[e][k][j][l];
                        s += d[j][l] * u[e][k][l][i];
                        t += d[k][l] * u[e][l][j][i];
                    }
                    q.r[k][j][i] = g[e][0][k][j][i] * r + g[e][1][k][j][i] * s + g[e][2][k][j][i] * t;
                    q.s[k][j][i] = g[e][1][k][j][i] * r + g[e][3][k][j][i] * s + g[e][4][k][j][i] * t;
                    q.t[k][j][i] = g[e][2][k][j][i] * r + g[e][4][k][j][i] * s + g[e][5][k][j][i] * t;
                }
#pragma acc loop vector collapse(2)
        for (size_t j = 0; j < P; ++j)
            for (size_t i = 0; i < P; ++i)
#pragma acc loop seq
                for (size_t k = 0; k < P; ++k) {
                    double sum = 0;
                    for (size_t l = 0; l < P; ++l) {
                        sum += d[l][i] * q.r[k][j][l];
                        sum += d[l][j] * q.s[k][l][i];
                        sum += d[l][k] * q.t[l][j][i];
                    }
                    w[e][k][j][i] = sum;
                }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift;
    double *d = NEW(double, P *P), *g = NEW(double, 6 * CUBE * n), *u = NEW(double, CUBE *n), *w = NEW(double, CUBE *n), sum = 0;
    for (int k = 0; k < P * P; k++)
        d[k] = number(k) - 0.5;
    FILL(g, 6 * CUBE * n, 1);
    FILL(u, CUBE * n, 1);
#pragma acc enter data copyin(d[0:P * P], g[0:6 * CUBE * n], u[0:CUBE * n]) create(w[0:CUBE * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        stiffness(n, d, g, u, w);
#else
        stiffness(n, (double(*)[P])d, (cube(*)[6])g, (cube *)u, (cube *)w);
#endif
    }
#pragma acc update self(w[0:CUBE * n])
    for (int k = 0; k < CUBE * n; k++)
        sum += fabs(w[k]);
    report("spectral", t.best, sum);
    return 0;
}
