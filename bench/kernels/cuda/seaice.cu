// Twelve elastic steps of sea ice on a grid of 1024 x 1024 cells, double: a launch for the stresses and one for the velocities in each
// step, which adds up the power of the wind by blocks.
#include "kernels.cuh"

constexpr int SIDE = 1024, STEPS = 12, X = 32, Y = 8;
constexpr double DT = 10, WIDTH = 4000, RELAX = 360, LEAST = 1e-9, ASPECT = 2, DRAG = 5.5, CORIOLIS = 1.4e-4;

__global__ void __launch_bounds__(X * Y)
stresses(int rows, const int *__restrict__ land, const double *__restrict__ pressure, const double *__restrict__ u,
         const double *__restrict__ v, double *__restrict__ s1, double *__restrict__ s2, double *__restrict__ s12)
{
    int i = blockIdx.x * X + threadIdx.x, j = blockIdx.y * Y + threadIdx.y, k = j * SIDE + i;
    int w = k - 1, s = k - SIDE, sw = s - 1;
    if (i < 1 || j < 1 || j >= rows || land[k])
        return;
    constexpr double scale = 0.5 / WIDTH, f = DT / (2 * RELAX);
    double ux = scale * (u[k] + u[s] - u[w] - u[sw]), uy = scale * (u[k] + u[w] - u[s] - u[sw]);
    double vx = scale * (v[k] + v[s] - v[w] - v[sw]), vy = scale * (v[k] + v[w] - v[s] - v[sw]);
    double div = ux + vy, tension = ux - vy, shear = uy + vx;
    double delta = sqrt(div * div + (tension * tension + shear * shear) * (1 / (ASPECT * ASPECT)));
    double c = f * pressure[k] / fmax(delta, LEAST);
    s1[k] = (s1[k] + c * (div - delta)) * (1 / (1 + f));
    s2[k] = (s2[k] + c * tension) * (1 / (1 + f * ASPECT * ASPECT));
    s12[k] = (s12[k] + c * 0.5 * shear) * (1 / (1 + f * ASPECT * ASPECT));
}

__global__ void __launch_bounds__(X * Y)
velocities(int rows, const int *__restrict__ land, const double *__restrict__ mass, const double *__restrict__ windx,
           const double *__restrict__ windy, const double *__restrict__ s1, const double *__restrict__ s2,
           const double *__restrict__ s12, double *__restrict__ u, double *__restrict__ v, double *__restrict__ power)
{
    int i = blockIdx.x * X + threadIdx.x, j = blockIdx.y * Y + threadIdx.y, k = j * SIDE + i;
    int e = k + 1, m = k + SIDE, me = m + 1;
    double mine = 0;
    if (i > 0 && i < SIDE - 1 && j > 0 && j < rows - 1 && !land[k] && !land[e] && !land[m] && !land[me]) {
        constexpr double scale = 0.25 / WIDTH;
        double fx = scale * (s1[e] + s1[me] - s1[k] - s1[m] + s2[e] + s2[me] - s2[k] - s2[m] +
                             2 * (s12[m] + s12[me] - s12[k] - s12[e]));
        double fy = scale * (s1[m] + s1[me] - s1[k] - s1[e] - s2[m] - s2[me] + s2[k] + s2[e] +
                             2 * (s12[e] + s12[me] - s12[k] - s12[m]));
        double uk = u[k], vk = v[k], inertia = mass[k] * (1 / DT), drag = DRAG * sqrt(uk * uk + vk * vk + 1e-8);
        double a = inertia + drag, b = mass[k] * CORIOLIS, inverse = 1 / (a * a + b * b);
        double x = inertia * uk + fx + windx[k], y = inertia * vk + fy + windy[k];
        uk = (a * x + b * y) * inverse;
        vk = (a * y - b * x) * inverse;
        u[k] = uk;
        v[k] = vk;
        mine = windx[k] * uk + windy[k] * vk;
    }
    __shared__ double sums[Y];
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, d);
    if (threadIdx.x == 0)
        sums[threadIdx.y] = mine;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        for (int y = 1; y < Y; y++)
            mine += sums[y];
        atomicAdd(power, mine);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, *land = NEW(int, n);
    double *mass = NEW(double, n), *pressure = NEW(double, n), *windx = NEW(double, n), *windy = NEW(double, n);
    double *u = NEW(double, n), *v = NEW(double, n), power = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        int i = k % SIDE, j = k / SIDE;
        double thickness = 1 + 0.5 * sin(0.02 * i) * cos(0.03 * j) + 0.2 * number(k);
        land[k] = mix(i / 16 + j / 16 * SIDE) % 16 == 0;
        mass[k] = 900 * thickness;
        pressure[k] = 27500 * thickness * exp(-3 * number(k + 3));
        windx[k] = 0.1 + 0.05 * sin(0.01 * j);
        windy[k] = 0.06 * cos(0.013 * i);
    }
    int *dland = on_device(land, n);
    double *dmass = on_device(mass, n), *dpressure = on_device(pressure, n), *dwindx = on_device(windx, n);
    double *dwindy = on_device(windy, n), *du = device<double>(n), *dv = device<double>(n), *ds1 = device<double>(n);
    double *ds2 = device<double>(n), *ds12 = device<double>(n), *dpower = device<double>(1);
    dim3 grid(SIDE / X, ceiling(rows, Y)), block(X, Y);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(du, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(dv, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(ds1, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(ds2, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(ds12, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(dpower, 0, sizeof(double)));
        for (int step = 0; step < STEPS; step++) {
            stresses<<<grid, block>>>(rows, dland, dpressure, du, dv, ds1, ds2, ds12);
            velocities<<<grid, block>>>(rows, dland, dmass, dwindx, dwindy, ds1, ds2, ds12, du, dv, dpower);
        }
        CHECK(cudaMemcpy(&power, dpower, sizeof power, cudaMemcpyDeviceToHost));
    });
    to_host(u, du, n);
    to_host(v, dv, n);
    for (int k = 0; k < n; k++)
        sum += u[k] * (1 + k % 3) + v[k] * (1 + k % 2);
    report("seaice", best, 1e3 * sum + power);
    return 0;
}
