// Alternating directions: columns, then rows of a plate of 1024 x 1024 doubles; a thread a system.
#include "kernels.cuh"

__global__ void columns(int n, const double *__restrict__ u, double *__restrict__ v, double *__restrict__ p, double *__restrict__ q)
{
    const double a = -0.4, b = 1.8, c = -0.4, d = -0.3, f = -0.3;
    int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1)
        return;
    double pk = 0, qk = 1;
    v[i] = 1;
    for (int j = 1; j < n - 1; j++) {
        double below = a * pk + b;
        qk = (-d * u[j * n + i - 1] + (1 + 2 * d) * u[j * n + i] - f * u[j * n + i + 1] - a * qk) / below;
        pk = -c / below;
        p[j * n + i] = pk;
        q[j * n + i] = qk;
    }
    double x = 1;
    v[(n - 1) * n + i] = x;
    for (int j = n - 2; j >= 1; j--)
        v[j * n + i] = x = p[j * n + i] * x + q[j * n + i];
}

__global__ void rows(int n, double *__restrict__ u, const double *__restrict__ v, double *__restrict__ p, double *__restrict__ q)
{
    const double a = -0.4, c = -0.4, d = -0.3, e = 1.6, f = -0.3;
    int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1)
        return;
    double pk = 0, qk = 1;
    u[i * n] = 1;
    for (int j = 1; j < n - 1; j++) {
        double below = d * pk + e;
        qk = (-a * v[(i - 1) * n + j] + (1 + 2 * a) * v[i * n + j] - c * v[(i + 1) * n + j] - d * qk) / below;
        pk = -f / below;
        p[j * n + i] = pk;
        q[j * n + i] = qk;
    }
    double x = 1;
    u[i * n + n - 1] = x;
    for (int j = n - 2; j >= 1; j--)
        u[i * n + j] = x = p[j * n + i] * x + q[j * n + i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2;
    double *u = NEW(double, n * n), *v = NEW(double, n * n), sum = 0;
    FILL(u, n * n, 1);
    FILL(v, n * n, 0);
    double *du = on_device(u, n * n), *dv = on_device(v, n * n), *dp = device<double>(n * n), *dq = device<double>(n * n);
    double best = fastest(args.repeats, [&] {
        columns<<<ceiling(n - 2, 32), 32>>>(n, du, dv, dp, dq);
        rows<<<ceiling(n - 2, 32), 32>>>(n, du, dv, dp, dq);
    });
    to_host(u, du, n * n);
    SUM(sum, u, n * n);
    report("adi", best, sum);
    return 0;
}
