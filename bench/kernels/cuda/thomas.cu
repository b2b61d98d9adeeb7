// Tridiagonal systems, double: 2^16 systems of 128 equations, a thread each, unknown k of all systems together.
#include "kernels.cuh"

__global__ void solve(int n, int m, const double *__restrict__ l, const double *__restrict__ d,
                      const double *__restrict__ u, const double *__restrict__ r, double *__restrict__ c,
                      double *__restrict__ x)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= n)
        return;
    double last_c = u[s] / d[s], last_x = r[s] / d[s];
    c[s] = last_c;
    x[s] = last_x;
    for (int k = 1, at = n + s; k < m; k++, at += n) {
        double pivot = 1 / (d[at] - l[at] * last_c);
        c[at] = last_c = u[at] * pivot;
        x[at] = last_x = (r[at] - l[at] * last_x) * pivot;
    }
    for (int k = m - 2, at = k * n + s; k >= 0; k--, at -= n)
        x[at] = last_x = x[at] - c[at] * last_x;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 16) >> args.shift, m = 128, all = n * m;
    double *l = NEW(double, all), *d = NEW(double, all), *u = NEW(double, all), *r = NEW(double, all);
    double *x = NEW(double, all), sum = 0;
    FILL(l, all, 1);
    FILL(u, all, 1);
    FILL(r, all, 1);
    for (int k = 0; k < all; k++)
        d[k] = 3 + number(k);
    double *dl = on_device(l, all), *dd = on_device(d, all), *du = on_device(u, all), *dr = on_device(r, all);
    double *dc = device<double>(all), *dx = device<double>(all);
    double best = fastest(args.repeats, [&] { solve<<<ceiling(n, 128), 128>>>(n, m, dl, dd, du, dr, dc, dx); });
    to_host(x, dx, all);
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]);
    report("thomas", best, sum);
    return 0;
}
