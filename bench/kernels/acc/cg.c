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
#elif SPELLING == 3
static double ddot(int n, const double *a, const double *b)
{
    double s = 0;
#pragma acc parallel loop reduction(+ : s) default(present)
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
static void axpy(int n, double alpha, const double *x, double *y)
{
#pragma acc kernels loop independent default(present)
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}
static void xpay(int n, const double *x, double beta, double *y)
{
#pragma acc kernels loop independent default(present)
    for (int i = 0; i < n; i++)
        y[i] = x[i] + beta * y[i];
}
static void matvec(int side, const double *in, double *out)
{
#pragma acc parallel loop default(present)
    for (int k = 0; k < side * side; k++) {
        int row = k / side, col = k % side;
        double v = 4.1 * in[k];
        v -= row > 0 ? in[k - side] : 0.0;
        v -= row < side - 1 ? in[k + side] : 0.0;
        v -= col > 0 ? in[k - 1] : 0.0;
        v -= col < side - 1 ? in[k + 1] : 0.0;
        out[k] = v;
    }
}
static double solve(int side, double *x, double *r, double *p, double *Ap, const double *b)
{
    int n = side * side;
#pragma acc parallel loop default(present)
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = b[i];
    }
    double rsold = ddot(n, r, r);
    for (int it = 0; it < STEPS; it++) {
        matvec(side, p, Ap);
        double alpha = rsold / ddot(n, p, Ap);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, Ap, r);
        double rsnew = ddot(n, r, r);
        xpay(n, r, rsnew / rsold, p);
        rsold = rsnew;
    }
    return rsold;
}
#elif SPELLING == 4
static double solve(size_t s, double *px, double *pr, double *pp, double *pq, const double *pb)
{
    double(*x)[s] = (double(*)[s])px, (*r)[s] = (double(*)[s])pr, (*p)[s] = (double(*)[s])pp, (*q)[s] = (double(*)[s])pq;
    const double(*b)[s] = (const double(*)[s])pb;
    double rho = 0;
#pragma acc data present(x[0:s], r[0:s], p[0:s], q[0:s], b[0:s])
    {
#pragma acc parallel loop collapse(2) reduction(+ : rho)
        for (size_t i = 0; i < s; i++)
            for (size_t j = 0; j < s; j++) {
                x[i][j] = 0;
                r[i][j] = b[i][j];
                p[i][j] = b[i][j];
                rho += b[i][j] * b[i][j];
            }
        for (int it = 1; it <= STEPS; it++) {
            double pq_sum = 0, rho_new = 0;
#pragma acc parallel loop gang reduction(+ : pq_sum)
            for (size_t i = 0; i < s; i++) {
#pragma acc loop vector reduction(+ : pq_sum)
                for (size_t j = 0; j < s; j++) {
                    q[i][j] = 4.1 * p[i][j] - (i > 0 ? p[i - 1][j] : 0) - (i + 1 < s ? p[i + 1][j] : 0) - (j > 0 ? p[i][j - 1] : 0) -
                              (j + 1 < s ? p[i][j + 1] : 0);
                    pq_sum += p[i][j] * q[i][j];
                }
            }
            const double alpha = rho / pq_sum;
#pragma acc parallel loop collapse(2)
            for (size_t i = 0; i < s; i++)
                for (size_t j = 0; j < s; j++)
                    x[i][j] += alpha * p[i][j];
#pragma acc parallel loop collapse(2) reduction(+ : rho_new)
            for (size_t i = 0; i < s; i++)
                for (size_t j = 0; j < s; j++) {
                    r[i][j] -= alpha * q[i][j];
                    rho_new += r[i][j] * r[i][j];
                }
            const double beta = rho_new / rho;
            rho = rho_new;
#pragma acc parallel loop collapse(2)
            for (size_t i = 0; i < s; i++)
                for (size_t j = 0; j < s; j++)
                    p[i][j] = r[i][j] + beta * p[i][j];
        }
    }
    return rho;
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
