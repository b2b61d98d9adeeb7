// A step of the Euler equations on 1024 x 1024 cells, double: limited slopes, fluxes of Rusanov through the faces, the update of four
// variables and the fastest wave; a thread a cell.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 1024;
constexpr double GAMMA = 1.4, STEP = 0.1;

__device__ double minmod(double a, double b) { return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b; }

__device__ double pressure(const double (&u)[4]) { return (GAMMA - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]); }

// Between the second and the third of four cells that are `apart`.
template <int AXIS> __device__ void face(const double *__restrict__ u, double *__restrict__ out, int at, int apart, int one)
{
    double l[4], r[4];
#pragma unroll
    for (int v = 0; v < 4; v++) {
        const double *p = u + v * one + at;
        double a = p[-apart], b = p[0], c = p[apart], d = p[2 * apart];
        l[v] = b + 0.5 * minmod(b - a, c - b);
        r[v] = c - 0.5 * minmod(c - b, d - c);
    }
    double pl = pressure(l), pr = pressure(r), vl = l[1 + AXIS] / l[0], vr = r[1 + AXIS] / r[0];
    double s = fmax(fabs(vl) + sqrt(GAMMA * pl / l[0]), fabs(vr) + sqrt(GAMMA * pr / r[0]));
#pragma unroll
    for (int v = 0; v < 4; v++) {
        double f = 0.5 * (vl * l[v] + vr * r[v]) - 0.5 * s * (r[v] - l[v]);
        if (v == 1 + AXIS)
            f += 0.5 * (pl + pr);
        if (v == 3)
            f += 0.5 * (pl * vl + pr * vr);
        out[v * one + at] = f;
    }
}

__global__ void fluxes(int n, const double *__restrict__ u, double *__restrict__ fx, double *__restrict__ fy)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 2 || j >= n - 2)
        return;
    face<0>(u, fx, i * n + j, 1, n * n);
    face<1>(u, fy, i * n + j, n, n * n);
}

__global__ void update(int n, const double *__restrict__ u, const double *__restrict__ fx, const double *__restrict__ fy,
                       double *__restrict__ next, unsigned long long *speed)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 2, i = blockIdx.y + 2;
    double mine = 0;
    if (j < n - 2) {
        double w[4];
#pragma unroll
        for (int v = 0; v < 4; v++) {
            int at = (v * n + i) * n + j;
            w[v] = u[at] - STEP * (fx[at] - fx[at - 1] + fy[at] - fy[at - n]);
            next[at] = w[v];
        }
        mine = sqrt(w[1] * w[1] + w[2] * w[2]) / w[0] + sqrt(GAMMA * pressure(w) / w[0]);
    }
    mine = block_reduce(mine, 0.0, [](double p, double q) { return fmax(p, q); });
    // The numbers are not negative, so that their bits have the same order.
    if (threadIdx.x == 0)
        atomicMax(speed, (unsigned long long)__double_as_longlong(mine));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, one = n * n, all = 4 * one;
    double *u = NEW(double, all), *next = NEW(double, all), sum = 0;
    FILL(u, all, 0.5);
    for (int k = 0; k < one; k++) {
        u[k] += 1;
        u[3 * one + k] += 2;
        for (int v = 0; v < 4; v++)
            next[v * one + k] = 0;
    }
    double *du = on_device(u, all), *fx = device<double>(all), *fy = device<double>(all), *dnext = on_device(next, all),
           *speed = pinned<double>();
    unsigned long long *dspeed = device<unsigned long long>(1);
    dim3 block(32, 4), grid(ceiling(n - 3, 32), ceiling(n - 3, 4));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dspeed, 0, sizeof *dspeed));
        fluxes<<<grid, block>>>(n, du, fx, fy);
        update<<<dim3(ceiling(n - 4, 256), n - 4), 256>>>(n, du, fx, fy, dnext, dspeed);
        CHECK(cudaMemcpyAsync(speed, dspeed, sizeof *speed, cudaMemcpyDeviceToHost));
    });
    to_host(next, dnext, all);
    for (int k = 0; k < all; k++)
        sum += fabs(next[k]);
    report("muscl", best, sum + 1000 * *speed);
    return 0;
}
