// Three steps that make a level-set function a signed distance again in 128^3 points, double: a thread a point, blocks
// of 32 x 4 x 2; the seven values along each direction from the caches, in registers.
#include "kernels.cuh"

constexpr int SIDE = 128, STEPS = 3;

__device__ double square(double a) { return a * a; }

__device__ double weno(double a, double b, double c, double d, double e)
{
    double s1 = 13.0 / 12 * square(a - 2 * b + c) + 0.25 * square(a - 4 * b + 3 * c);
    double s2 = 13.0 / 12 * square(b - 2 * c + d) + 0.25 * square(b - d);
    double s3 = 13.0 / 12 * square(c - 2 * d + e) + 0.25 * square(3 * c - 4 * d + e);
    double w1 = 0.1 / square(s1 + 1e-6), w2 = 0.6 / square(s2 + 1e-6), w3 = 0.3 / square(s3 + 1e-6);
    double sum = w1 * (2 * a - 7 * b + 11 * c) + w2 * (-b + 5 * c + 2 * d) + w3 * (2 * c + 5 * d - e);
    return sum / (6 * (w1 + w2 + w3));
}

__device__ double along(const double *__restrict__ line, int i, int n, int stride, double per, bool outside)
{
    double u[7];
#pragma unroll
    for (int k = 0; k < 7; k++)
        u[k] = __ldg(&line[min(max(i + k - 3, 0), n - 1) * stride]);
    double d[6];
#pragma unroll
    for (int k = 0; k < 6; k++)
        d[k] = (u[k + 1] - u[k]) * per;
    double minus = weno(d[0], d[1], d[2], d[3], d[4]), plus = weno(d[5], d[4], d[3], d[2], d[1]);
    if (!outside) {
        minus = -minus;
        plus = -plus;
    }
    return fmax(square(fmax(minus, 0.0)), square(fmin(plus, 0.0)));
}

__global__ void __launch_bounds__(256)
step(int n, double h, const double *__restrict__ start, const double *__restrict__ from, double *__restrict__ to)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    if (x >= n || y >= n || z >= n)
        return;
    int at = (z * n + y) * n + x;
    double was = start[at], sign = was / sqrt(was * was + h * h), per = 1 / h;
    double sum = along(from + (z * n + y) * n, x, n, 1, per, sign > 0);
    sum += along(from + z * n * n + x, y, n, n, per, sign > 0);
    sum += along(from + y * n + x, z, n, n * n, per, sign > 0);
    to[at] = from[at] - 0.3 * h * sign * (sqrt(sum) - 1);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double *start = NEW(double, all), *result = NEW(double, all), sum = 0;
    for (int k = 0; k < all; k++) {
        double x = (k % n + 0.5) / n - 0.5, y = (k / n % n + 0.5) / n - 0.45, z = (k / n / n + 0.5) / n - 0.55;
        double r = sqrt(x * x + y * y + 2 * z * z) - 0.3 + 0.03 * sin(15 * x) * cos(11 * y);
        start[k] = r * (1 + 2 * x * x + y) + 1e-3 * number(k) / n;
    }
    double *dstart = on_device(start, all), *buffers[2] = {device<double>(all), device<double>(all)};
    dim3 blocks(ceiling(n, 32), ceiling(n, 4), ceiling(n, 2)), threads(32, 4, 2);
    double best = fastest(args.repeats, [&] {
        const double *from = dstart;
        for (int s = 0; s < STEPS; s++) {
            step<<<blocks, threads>>>(n, 1.0 / n, dstart, from, buffers[s % 2]);
            from = buffers[s % 2];
        }
    });
    to_host(result, buffers[0], all);
    for (int k = 0; k < all; k++)
        sum += fabs(result[k]);
    report("redistance", best, sum);
    return 0;
}
