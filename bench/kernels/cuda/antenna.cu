// The impedances of 2048 segments of a helical wire by the method of moments, double complex; a thread an entry, a block a part of a row.
#include "kernels.cuh"

constexpr int SEGMENTS = 2048, ORDER = 4;
constexpr double WAVE = 6.283185307179586, RADIUS = 0.002, FOUR_PI = 12.566370614359172;

__constant__ double place[ORDER] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
__constant__ double weight[ORDER] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};

__device__ void add_green(double2 &sum, double factor, double dx, double dy, double dz)
{
    double r2 = dx * dx + dy * dy + dz * dz + RADIUS * RADIUS, one = rsqrt(r2), s, c;
    sincos(WAVE * (r2 * one), &s, &c);
    factor *= one * (1 / FOUR_PI);
    sum.x += factor * c;
    sum.y -= factor * s;
}

__global__ void impedances(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z,
                           double2 *__restrict__ matrix)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n)
        return;
    double px[2] = {x[i], x[i + 1]}, py[2] = {y[i], y[i + 1]}, pz[2] = {z[i], z[i + 1]};
    double qx[2] = {x[j], x[j + 1]}, qy[2] = {y[j], y[j + 1]}, qz[2] = {z[j], z[j + 1]};
    double tx = qx[1] - qx[0], ty = qy[1] - qy[0], tz = qz[1] - qz[0];
    double along = (px[1] - px[0]) * tx + (py[1] - py[0]) * ty + (pz[1] - pz[0]) * tz;
    double mx = 0.5 * (px[0] + px[1]) - qx[0], my = 0.5 * (py[0] + py[1]) - qy[0], mz = 0.5 * (pz[0] + pz[1]) - qz[0];
    double2 vector = {0, 0}, scalar = {0, 0};
#pragma unroll
    for (int g = 0; g < ORDER; g++) {
        double f = 0.5 + 0.5 * place[g];
        add_green(vector, 0.5 * weight[g], mx - f * tx, my - f * ty, mz - f * tz);
    }
#pragma unroll
    for (int a = 0; a < 2; a++)
#pragma unroll
        for (int b = 0; b < 2; b++)
            add_green(scalar, a == b ? 1 : -1, px[a] - qx[b], py[a] - qy[b], pz[a] - qz[b]);
    matrix[i * n + j] = make_double2(scalar.y / WAVE - WAVE * along * vector.y, WAVE * along * vector.x - scalar.x / WAVE);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SEGMENTS >> (args.shift + 1) / 2;
    double *x = NEW(double, n + 1), *y = NEW(double, n + 1), *z = NEW(double, n + 1), *matrix = NEW(double, 2 * n * n), sum = 0;
    for (int k = 0; k <= n; k++) {
        x[k] = 0.2 * cos(0.05 * k);
        y[k] = 0.2 * sin(0.05 * k);
        z[k] = 0.002 * k;
    }
    double *dx = on_device(x, n + 1), *dy = on_device(y, n + 1), *dz = on_device(z, n + 1), *out = device<double>(2 * n * n);
    double best = fastest(args.repeats, [&] { impedances<<<dim3(ceiling(n, 128), n), 128>>>(n, dx, dy, dz, (double2 *)out); });
    to_host(matrix, out, 2 * n * n);
    for (int k = 0; k < 2 * n * n; k++)
        sum += fabs(matrix[k]);
    report("antenna", best, sum);
    return 0;
}
