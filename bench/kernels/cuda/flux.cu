// Fluxes of a fluid over an unstructured mesh, float: 2^18 cells with four neighbours each and five variables.
#include "kernels.cuh"

constexpr int SIDES = 4, VARIABLES = 5;

struct cell {
    float density, energy, vx, vy, vz, pressure;
};

__device__ cell load(int n, int i, const float *__restrict__ u)
{
    cell c;
    c.density = u[i];
    c.vx = u[n + i] / c.density;
    c.vy = u[2 * n + i] / c.density;
    c.vz = u[3 * n + i] / c.density;
    c.energy = u[4 * n + i];
    c.pressure = 0.4f * (c.energy - 0.5f * c.density * (c.vx * c.vx + c.vy * c.vy + c.vz * c.vz));
    return c;
}

__global__ void flux(int n, const int *__restrict__ neighbour, const float *__restrict__ normal,
                     const float *__restrict__ u, float *__restrict__ f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cell me = load(n, i, u);
    float sum[VARIABLES] = {};
#pragma unroll
    for (int s = 0; s < SIDES; s++) {
        int o = neighbour[s * n + i];
        if (o < 0)
            continue;
        float nx = normal[(3 * s) * n + i], ny = normal[(3 * s + 1) * n + i], nz = normal[(3 * s + 2) * n + i];
        cell other = load(n, o, u);
        float here = me.vx * nx + me.vy * ny + me.vz * nz, there = other.vx * nx + other.vy * ny + other.vz * nz;
        float both = 0.5f * (me.pressure + other.pressure), m = me.density * here, t = other.density * there;
        sum[0] += 0.5f * (m + t);
        sum[1] += 0.5f * (me.vx * m + other.vx * t) + both * nx;
        sum[2] += 0.5f * (me.vy * m + other.vy * t) + both * ny;
        sum[3] += 0.5f * (me.vz * m + other.vz * t) + both * nz;
        sum[4] += 0.5f * ((me.energy + me.pressure) * here + (other.energy + other.pressure) * there);
    }
#pragma unroll
    for (int v = 0; v < VARIABLES; v++)
        f[v * n + i] = sum[v];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, *neighbour = NEW(int, SIDES *n);
    float *normal = NEW(float, 3 * SIDES * n), *u = NEW(float, VARIABLES *n), *f = NEW(float, VARIABLES *n);
    double sum = 0;
    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < n; i++)
            neighbour[s * n + i] = mix(s * n + i) % 64 ? (int)((i + n + (s - 2) * 16 + mix(i + s) % 32) % n) : -1;
    for (int k = 0; k < 3 * SIDES * n; k++)
        normal[k] = (float)number(k) - 0.5f;
    for (int k = 0; k < VARIABLES * n; k++)
        u[k] = k < n ? 1 + (float)number(k) : k < 4 * n ? (float)number(k) : 5;
    int *dneighbour = on_device(neighbour, SIDES * n);
    float *dnormal = on_device(normal, 3 * SIDES * n), *du = on_device(u, VARIABLES * n);
    float *df = device<float>(VARIABLES * n);
    double best = fastest(args.repeats, [&] { flux<<<ceiling(n, 128), 128>>>(n, dneighbour, dnormal, du, df); });
    to_host(f, df, VARIABLES * n);
    for (int k = 0; k < VARIABLES * n; k++)
        sum += fabs(f[k]);
    report("flux", best, sum);
    return 0;
}
