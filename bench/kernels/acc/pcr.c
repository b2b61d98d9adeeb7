// 32768 tridiagonal systems of 256 equations, float, by parallel cyclic reduction: a gang a system, eight steps between two copies of its coefficients.
#include "../kernels.h"

enum { SYSTEMS = 1 << 15, N = 256 };

#if SPELLING == 1
static void solve(int systems, const float *restrict lower, const float *restrict diagonal, const float *restrict upper, const float *restrict right,
                  float *restrict x)
{
    float a[2][N], b[2][N], c[2][N], d[2][N];
    int all = systems * N;
#pragma acc parallel loop gang private(a, b, c, d) vector_length(256) present(lower[0:all], diagonal[0:all], upper[0:all], right[0:all], x[0:all])
#pragma omp parallel for private(a, b, c, d)
    for (int s = 0; s < systems; s++) {
#pragma acc loop vector
        for (int i = 0; i < N; i++) {
            a[0][i] = i > 0 ? lower[s * N + i] : 0;
            b[0][i] = diagonal[s * N + i];
            c[0][i] = i < N - 1 ? upper[s * N + i] : 0;
            d[0][i] = right[s * N + i];
        }
        int from = 0;
        for (int step = 1; step < N; step *= 2) {
            int to = 1 - from;
#pragma acc loop vector
            for (int i = 0; i < N; i++) {
                int l = i - step, r = i + step;
                float p = l >= 0 ? a[from][i] / b[from][l] : 0, q = r < N ? c[from][i] / b[from][r] : 0;
                float na = 0, nb = b[from][i], nc = 0, nd = d[from][i];
                if (l >= 0) {
                    na = -a[from][l] * p;
                    nb -= c[from][l] * p;
                    nd -= d[from][l] * p;
                }
                if (r < N) {
                    nc = -c[from][r] * q;
                    nb -= a[from][r] * q;
                    nd -= d[from][r] * q;
                }
                a[to][i] = na;
                b[to][i] = nb;
                c[to][i] = nc;
                d[to][i] = nd;
            }
            from = to;
        }
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            x[s * N + i] = d[from][i] / b[from][i];
    }
}
#else
typedef struct { float a, b, c, d; } equation;

static equation reduced(const equation *e, long i, long step)
{
    equation me = e[i], none = {0, 1, 0, 0}, before = i < step ? none : e[i - step], behind = i + step < N ? e[i + step] : none;
    float p = me.a / before.b, q = me.c / behind.b;
    return (equation){-before.a * p, me.b - before.c * p - behind.a * q, -behind.c * q, me.d - before.d * p - behind.d * q};
}

static void solve(long systems, float *lower, float *diagonal, float *upper, float *right, float *x)
{
#pragma acc parallel present(lower[0:systems * N], diagonal[0:systems * N], upper[0:systems * N], right[0:systems * N], x[0:systems * N])
#pragma acc loop gang
#pragma omp parallel for
    for (long s = 0; s < systems; ++s) {
        equation even[N], odd[N];
        const long base = s * N;
#pragma acc loop vector
        for (long i = 0; i < N; ++i)
            even[i] = (equation){i == 0 ? 0 : lower[base + i], diagonal[base + i], i == N - 1 ? 0 : upper[base + i], right[base + i]};
#pragma acc loop seq
        for (long step = 1; step < N; step *= 4) {
#pragma acc loop vector
            for (long i = 0; i < N; ++i)
                odd[i] = reduced(even, i, step);
#pragma acc loop vector
            for (long i = 0; i < N; ++i)
                even[i] = reduced(odd, i, 2 * step);
        }
#pragma acc loop vector
        for (long i = 0; i < N; ++i)
            x[base + i] = even[i].d / even[i].b;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int systems = SYSTEMS >> args.shift, all = systems * N;
    float *lower = NEW(float, all), *diagonal = NEW(float, all), *upper = NEW(float, all), *right = NEW(float, all), *x = NEW(float, all);
    double sum = 0;
    FILL(lower, all, 1);
    FILL(right, all, 3);
    for (int k = 0; k < all; k++) {
        diagonal[k] = 2.5 + number(k + 7);
        upper[k] = number(k + 1000003);
    }
#pragma acc enter data copyin(lower[0:all], diagonal[0:all], upper[0:all], right[0:all]) create(x[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        solve(systems, lower, diagonal, upper, right, x);
#pragma acc update self(x[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]);
    report("pcr", t.best, sum);
    return 0;
}
