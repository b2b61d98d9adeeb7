// A step of a plasma in 2048 x 2048 points of place and velocity, double: its distribution is carried along by cubic interpolation, charges
// are sums over the velocities, the field comes from all charges by Green's function of a ring, and changes the velocities.
#include "../kernels.h"

enum { SIDE = 2048 };

#define TURN 6.283185307179586
#define FASTEST 6.0
#define DT 0.1

// Cubic interpolation at a share `a` of the way from the second point to the third.
#define W0(a) (-(a) * ((a)-1) * ((a)-2) / 6)
#define W1(a) (((a) * (a)-1) * ((a)-2) / 2)
#define W2(a) (-(a) * ((a) + 1) * ((a)-2) / 2)
#define W3(a) ((a) * ((a) * (a)-1) / 6)

#if SPELLING == 1
// f and g at [place][velocity].
static void step(int n, double *restrict f, double *restrict g, const double *restrict green, double *restrict charge, double *restrict field)
{
    double dx = 2 * TURN / n, dv = 2 * FASTEST / n;
#pragma acc parallel loop collapse(2) present(f[0:n * n], g[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double way = i - (-FASTEST + (j + 0.5) * dv) * DT / dx, from = floor(way), a = way - from;
            int b = (int)from + 2 * n;
            g[i * n + j] = W0(a) * f[(b - 1) % n * n + j] + W1(a) * f[b % n * n + j] + W2(a) * f[(b + 1) % n * n + j] +
                           W3(a) * f[(b + 2) % n * n + j];
        }
#pragma acc parallel loop gang present(g[0:n * n], charge[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += g[i * n + j];
        charge[i] = 1 - sum * dv;
    }
#pragma acc parallel loop gang present(green[0:n], charge[0:n], field[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < n; k++)
            sum += green[(i - k + n) % n] * charge[k];
        field[i] = sum * dx;
    }
#pragma acc parallel loop collapse(2) present(f[0:n * n], g[0:n * n], field[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double way = j + field[i] * DT / dv, from = floor(way), a = way - from, sum = 0;
            int b = (int)from;
            if (b - 1 >= 0 && b - 1 < n)
                sum += W0(a) * g[i * n + b - 1];
            if (b >= 0 && b < n)
                sum += W1(a) * g[i * n + b];
            if (b + 1 >= 0 && b + 1 < n)
                sum += W2(a) * g[i * n + b + 1];
            if (b + 2 >= 0 && b + 2 < n)
                sum += W3(a) * g[i * n + b + 2];
            f[i * n + j] = sum;
        }
}
#else
struct stencil { long base; double weight[4]; };

static struct stencil at(double way)
{
    struct stencil s;
    double a = way - floor(way);
    s.base = (long)floor(way) - 1;
    s.weight[0] = W0(a);
    s.weight[1] = W1(a);
    s.weight[2] = W2(a);
    s.weight[3] = W3(a);
    return s;
}

static long around(long k, long n) { return k < 0 ? k + n : k >= n ? k - n : k; }

static void step(long n, double *f_, double *g_, double *green, double *charge, double *field)
{
    typedef double row[n];
    row *f = (row *)f_, *g = (row *)g_;
    const double dx = 2 * TURN / n, dv = 2 * FASTEST / n;
#pragma acc data present(f[0:n], g[0:n], green[0:n], charge[0:n], field[0:n])
    {
#pragma acc parallel loop gang
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
#pragma acc loop worker vector
            for (long j = 0; j < n; ++j) {
                const double v = (j + 0.5) * dv - FASTEST;
                struct stencil s = at(i - v * DT / dx);
                double sum = 0;
                for (int k = 0; k < 4; ++k)
                    sum += s.weight[k] * f[around(s.base + k, n)][j];
                g[i][j] = sum;
            }
#pragma acc parallel loop gang worker num_workers(4) vector_length(32)
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            double sum = 0;
            const double *p = g[i];
#pragma acc loop vector reduction(+ : sum)
            for (long j = 0; j < n; ++j)
                sum += p[j];
            charge[i] = 1 - dv * sum;
        }
#pragma acc kernels
        {
#pragma acc loop independent
#pragma omp parallel for
            for (long i = 0; i < n; ++i) {
                double sum = 0;
                for (long k = 0; k < n; ++k)
                    sum += green[around(i - k, n)] * charge[k];
                field[i] = sum * dx;
            }
        }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            const double shift = field[i] * DT / dv;
#pragma acc loop vector
            for (long j = 0; j < n; ++j) {
                struct stencil s = at(j + shift);
                double sum = 0;
                for (long k = s.base, w = 0; w < 4; ++w, ++k)
                    if (k >= 0 && k < n)
                        sum += s.weight[w] * g[i][k];
                f[i][j] = sum;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double *f = NEW(double, n * n), *g = NEW(double, n * n), *green = NEW(double, n), *charge = NEW(double, n), *field = NEW(double, n),
           sum = 0;
    for (int i = 0; i < n; i++)
        green[i] = i ? 0.5 - (double)i / n : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double v = -FASTEST + (j + 0.5) * 2 * FASTEST / n;
            f[i * n + j] = v * v * exp(-v * v / 2) / sqrt(TURN) * (1 + 0.05 * cos(TURN * i / n));
        }
#pragma acc enter data copyin(f[0:n * n], green[0:n]) create(g[0:n * n], charge[0:n], field[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, f, g, green, charge, field);
#pragma acc update self(f[0:n * n], field[0:n])
    for (int k = 0; k < n * n; k++)
        sum += f[k] * (1 + k % 7);
    for (int i = 0; i < n; i++)
        sum += 1000 * fabs(field[i]);
    report("vlasov", t.best, sum);
    return 0;
}
