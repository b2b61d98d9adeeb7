// Ten steps of two substances that react and diffuse (Gray and Scott) in 192^3 periodic cells, double: a thread a cell.
#include "kernels.cuh"

enum { SIDE = 192, STEPS = 10 };
#define DU 0.2
#define DV 0.1
#define FEED 0.02
#define KILL 0.048
#define DT 1.0

__global__ void begin(int all, const double *__restrict__ u0, const double *__restrict__ v0, double *__restrict__ u, double *__restrict__ v)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < all) {
        u[k] = u0[k];
        v[k] = v0[k];
    }
}

__global__ void react(int n, const double *__restrict__ u, const double *__restrict__ v, double *__restrict__ u2, double *__restrict__ v2)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= n || y >= n)
        return;
    int at = (z * n + y) * n + x, plane = n * n;
    int west = x > 0 ? at - 1 : at + n - 1, east = x < n - 1 ? at + 1 : at - (n - 1);
    int south = y > 0 ? at - n : at + (n - 1) * n, north = y < n - 1 ? at + n : at - (n - 1) * n;
    int below = z > 0 ? at - plane : at + (n - 1) * plane, above = z < n - 1 ? at + plane : at - (n - 1) * plane;
    double uu = u[at], vv = v[at], r = uu * vv * vv;
    double lu = (u[west] + u[east] + u[south] + u[north] + u[below] + u[above]) * (1.0 / 6) - uu;
    double lv = (v[west] + v[east] + v[south] + v[north] + v[below] + v[above]) * (1.0 / 6) - vv;
    u2[at] = uu + DT * (DU * lu - r + FEED * (1 - uu));
    v2[at] = vv + DT * (DV * lv + r - (FEED + KILL) * vv);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0;
    FILL(u, all, 1);
    for (int k = 0; k < all; k++)
        v[k] = 0.5 * number(k + 99);
    double *du0 = on_device(u, all), *dv0 = on_device(v, all), *du = device<double>(all), *dv = device<double>(all), *du2 = device<double>(all),
           *dv2 = device<double>(all);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8), n);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(all, 256), 256>>>(all, du0, dv0, du, dv);
        for (int step = 0; step < STEPS; step += 2) {
            react<<<grid, block>>>(n, du, dv, du2, dv2);
            react<<<grid, block>>>(n, du2, dv2, du, dv);
        }
    });
    to_host(u, du, all);
    to_host(v, dv, all);
    SUM(sum, u, all);
    SUM(sum, v, all);
    report("grayscott", best, sum);
    return 0;
}
