// 20 steps of conjugate gradients for a five-point matrix of 512 x 512 unknowns, double: a product, two dot products and three sums of
// vectors in each, whose numbers come to the host.
#include "../kernels.h"

enum { SIDE = 512, STEPS = 20 };

#if SPELLING == 1
static double solve(int s, double *restrict x, double *restrict r, double *restrict p, double *restrict q, const double *restrict b)
{
    int n = s * s;
    double rr = 0;
#pragma acc data present(x[0:n], r[0:n], p[0:n], q[0:n], b[0:n])
    {
#pragma acc parallel loop reduction(+ : rr)
#pragma omp parallel for reduction(+ : rr)
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            r[i] = p[i] = b[i];
            rr += b[i] * b[i];
        }
        for (int step = 0; step < STEPS; step++) {
            double pq = 0, next = 0;
#pragma acc parallel loop collapse(2) reduction(+ : pq)
#pragma omp parallel for reduction(+ : pq)
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) {
                    int k = i * s + j;
                    double sum = 4.1 * p[k];
                    if (i > 0)
                        sum -= p[k - s];
                    if (i < s - 1)
                        sum -= p[k + s];
                    if (j > 0)
                        sum -= p[k - 1];
                    if (j < s - 1)
                        sum -= p[k + 1];
                    q[k] = sum;
                    pq += sum * p[k];
                }
            double alpha = rr / pq;
#pragma acc parallel loop reduction(+ : next)
#pragma omp parallel for reduction(+ : next)
            for (int i = 0; i < n; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                next += r[i] * r[i];
            }
            double beta = next / rr;
            rr = next;
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
    }
    return rr;
}
#else
static void product(size_t s, double *from, double *to)
{
    double(*p)[s] = (double(*)[s])from, (*q)[s] = (double(*)[s])to;
#pragma acc kernels present(p[0:s], q[0:s])
#pragma omp parallel for
    for (size_t i = 0; i < s; ++i)
        for (size_t j = 0; j < s; ++j)
            q[i][j] = 4.1 * p[i][j] - (i ? p[i - 1][j] : 0) - (i + 1 < s ? p[i + 1][j] : 0) - (j ? p[i][j - 1] : 0) - (j + 1 < s ? p[i][j + 1] : 0);
}

static double dot(size_t n, double *a, double *b)
{
    double sum = 0;
#pragma acc kernels loop present(a[0:n], b[0:n])
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void combine(size_t n, double *to, double *a, double factor, double *b)
{
#pragma acc kernels loop independent present(to[0:n], a[0:n], b[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        to[i] = a[i] + factor * b[i];
}

static double solve(size_t s, double *x, double *r, double *p, double *q, double *b)
{
    size_t n = s * s;
#pragma acc parallel loop present(x[0:n], r[0:n], p[0:n], b[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        x[i] = 0, p[i] = r[i] = b[i];
    double rr = dot(n, r, r);
    for (int step = 0; step < STEPS; ++step) {
        product(s, p, q);
        double alpha = rr / dot(n, p, q), before = rr;
        combine(n, x, x, alpha, p);
        combine(n, r, r, -alpha, q);
        rr = dot(n, r, r);
        combine(n, p, r, rr / before, p);
    }
    return rr;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int s = SIDE >> args.shift / 2;
    int n = s * s;
    double *x = NEW(double, n), *r = NEW(double, n), *p = NEW(double, n), *q = NEW(double, n), *b = NEW(double, n), sum = 0, left = 0;
    FILL(b, n, 1);
#pragma acc enter data copyin(b[0:n]) create(x[0:n], r[0:n], p[0:n], q[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        left = solve(s, x, r, p, q, b);
#pragma acc update self(x[0:n])
    SUM(sum, x, n);
    report("cg", t.best, sum + left);
    return 0;
}
