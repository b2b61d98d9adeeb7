// A step of snow by the material point method on a grid of 512 x 512 nodes, float: a thread for each of 2^18 particles, whose vectors and
// matrices are float2 and float4, and for each node.
#include "kernels.cuh"

constexpr int PARTICLES = 1 << 18, GRID = 512, WALL = 3, THREADS = 128;
constexpr float DT = 2e-5f, MU = 417, LAMBDA = 278, HARDENING = 10, SQUEEZE = 0.975f, STRETCH = 1.0045f, GRAVITY = 50;

struct around {
    int first;
    float ux, uy, wx[3], wy[3];
};

__device__ around nodes_around(float2 x, int g)
{
    around r;
    int ix = x.x * g - 0.5f, iy = x.y * g - 0.5f;
    float ux = r.ux = x.x * g - ix, uy = r.uy = x.y * g - iy;
    r.first = iy * g + ix;
    r.wx[0] = 0.5f * (1.5f - ux) * (1.5f - ux);
    r.wx[1] = 0.75f - (ux - 1) * (ux - 1);
    r.wx[2] = 0.5f * (ux - 0.5f) * (ux - 0.5f);
    r.wy[0] = 0.5f * (1.5f - uy) * (1.5f - uy);
    r.wy[1] = 0.75f - (uy - 1) * (uy - 1);
    r.wy[2] = 0.5f * (uy - 0.5f) * (uy - 0.5f);
    return r;
}

__device__ float clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

// A node is px, py, mass, nothing.
__global__ void __launch_bounds__(THREADS)
    scatter(int n, int g, const float2 *__restrict__ x, const float2 *__restrict__ v, const float4 *__restrict__ c,
            float4 *__restrict__ deformation, float *__restrict__ plastic, float4 *__restrict__ grid)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= n)
        return;
    float dx = 1.f / g, mass = 0.25f * dx * dx;
    float4 C = c[p], F = deformation[p];
    float f00 = F.x + DT * (C.x * F.x + C.y * F.z), f01 = F.y + DT * (C.x * F.y + C.y * F.w);
    float f10 = F.z + DT * (C.z * F.x + C.w * F.z), f11 = F.w + DT * (C.z * F.y + C.w * F.w);
    float co = f00 + f11, si = f10 - f01, scale = 1 / sqrtf(co * co + si * si);
    co *= scale;
    si *= scale;
    float s00 = co * f00 + si * f10, s01 = co * f01 + si * f11, s11 = co * f11 - si * f01;
    float mean = 0.5f * (s00 + s11), half = 0.5f * (s00 - s11), r = sqrtf(half * half + s01 * s01);
    float large = clamp(mean + r, SQUEEZE, STRETCH), little = clamp(mean - r, SQUEEZE, STRETCH), j = large * little, hard = plastic[p];
    plastic[p] = hard * (mean + r) * (mean - r) / j;
    hard = clamp(expf(HARDENING * (1 - hard)), 0.1f, 5.f);
    float mu2 = 2 * MU * hard, pressure = LAMBDA * hard * j * (j - 1), ratio = r > 1e-7f ? 0.5f * (large - little) / r : 1;
    mean = 0.5f * (large + little);
    s00 = mean + ratio * half;
    s11 = mean - ratio * half;
    s01 *= ratio;
    f00 = co * s00 - si * s01;
    f01 = co * s01 - si * s11;
    f10 = si * s00 + co * s01;
    f11 = si * s01 + co * s11;
    deformation[p] = make_float4(f00, f01, f10, f11);
    float k = -DT;
    float a00 = (k * (mu2 * ((f00 - co) * f00 + (f01 + si) * f01) + pressure) + mass * C.x) * dx;
    float a01 = (k * mu2 * ((f00 - co) * f10 + (f01 + si) * f11) + mass * C.y) * dx;
    float a10 = (k * mu2 * ((f10 - si) * f00 + (f11 - co) * f01) + mass * C.z) * dx;
    float a11 = (k * (mu2 * ((f10 - si) * f10 + (f11 - co) * f11) + pressure) + mass * C.w) * dx;
    around a = nodes_around(x[p], g);
    float2 velocity = v[p];
#pragma unroll
    for (int y = 0; y < 3; y++)
#pragma unroll
        for (int x = 0; x < 3; x++) {
            float w = a.wx[x] * a.wy[y], rx = x - a.ux, ry = y - a.uy;
            float4 *node = grid + a.first + y * g + x;
            atomicAdd(&node->x, w * (mass * velocity.x + a00 * rx + a01 * ry));
            atomicAdd(&node->y, w * (mass * velocity.y + a10 * rx + a11 * ry));
            atomicAdd(&node->z, w * mass);
        }
}

__global__ void __launch_bounds__(THREADS) fall(int g, float4 *__restrict__ grid)
{
    int i = blockIdx.x * THREADS + threadIdx.x, x = i % g, y = i / g;
    if (i >= g * g)
        return;
    float4 node = grid[i];
    if (node.z <= 0)
        return;
    node.x /= node.z;
    node.y = node.y / node.z - DT * GRAVITY;
    if ((x < WALL && node.x < 0) || (x > g - WALL && node.x > 0))
        node.x = 0;
    if ((y < WALL && node.y < 0) || (y > g - WALL && node.y > 0))
        node.y = 0;
    grid[i] = node;
}

__global__ void __launch_bounds__(THREADS)
    gather(int n, int g, float2 *__restrict__ x, float2 *__restrict__ v, float4 *__restrict__ c, const float4 *__restrict__ grid)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= n)
        return;
    float2 at = x[p], velocity = make_float2(0, 0);
    float4 C = make_float4(0, 0, 0, 0);
    around a = nodes_around(at, g);
#pragma unroll
    for (int y = 0; y < 3; y++)
#pragma unroll
        for (int x = 0; x < 3; x++) {
            float4 node = grid[a.first + y * g + x];
            float w = a.wx[x] * a.wy[y], k = 4 * g * w, kx = k * (x - a.ux), ky = k * (y - a.uy);
            velocity.x += w * node.x;
            velocity.y += w * node.y;
            C.x += kx * node.x;
            C.y += ky * node.x;
            C.z += kx * node.y;
            C.w += ky * node.y;
        }
    v[p] = velocity;
    c[p] = C;
    x[p] = make_float2(at.x + DT * velocity.x, at.y + DT * velocity.y);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int shrink = (args.shift + 1) / 2, g = GRID >> shrink, n = PARTICLES >> 2 * shrink, side = 1;
    while (side * side < n)
        side *= 2;
    float2 *x = NEW(float2, n), *v = NEW(float2, n);
    float4 *c = NEW(float4, n), *f = NEW(float4, n);
    float *plastic = NEW(float, n);
    double sum = 0;
    // A block of snow, row after row, that turns and falls.
    for (int p = 0; p < n; p++) {
        x[p].x = 0.2 + 0.5 * (p % side + number(p)) / side;
        x[p].y = 0.1 + 0.5 * (p / side + number(p + 77)) / side;
        v[p].x = -4 * (x[p].y - 0.35) + 0.2 * sin(30 * x[p].x);
        v[p].y = 4 * (x[p].x - 0.45) - 3 + 0.2 * sin(40 * x[p].y);
        c[p] = make_float4(0, -4, 4, 0);
        f[p] = make_float4(1 + 0.01 * sin(20 * x[p].x), 0.01 * sin(20 * x[p].x + 10), 0.01 * sin(20 * x[p].x + 20), 1 + 0.01 * sin(20 * x[p].x + 30));
        plastic[p] = 1 + 0.05 * sin(15 * x[p].y);
    }
    float2 *dx = on_device(x, n), *dv = on_device(v, n);
    float4 *dc = on_device(c, n), *df = on_device(f, n), *grid = device<float4>(g * g);
    float *dplastic = on_device(plastic, n);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(grid, 0, g * g * sizeof(float4)));
        scatter<<<ceiling(n, THREADS), THREADS>>>(n, g, dx, dv, dc, df, dplastic, grid);
        fall<<<ceiling(g * g, THREADS), THREADS>>>(g, grid);
        gather<<<ceiling(n, THREADS), THREADS>>>(n, g, dx, dv, dc, grid);
    });
    to_host(x, dx, n);
    to_host(v, dv, n);
    to_host(f, df, n);
    to_host(plastic, dplastic, n);
    for (int p = 0; p < n; p++) {
        sum += x[p].x + x[p].y + 0.1 * (fabs(v[p].x) + fabs(v[p].y));
        sum += fabs(f[p].x) + fabs(f[p].y) + fabs(f[p].z) + fabs(f[p].w);
    }
    SUM(sum, plastic, n);
    report("snow", best, sum);
    return 0;
}
