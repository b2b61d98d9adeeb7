// 2^20 charged particles, structs of six floats, pushed through a magnetic field by Boris' scheme for one step.
#include "kernels.cuh"

struct particle {
    float x, y, z, u, v, w;
};

__global__ void push(int n, particle *p, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle a = p[i];
    float ex = 0.1f * a.y, ey = -0.1f * a.x, ez = 0.05f, bz = 1 + 0.01f * a.z, half = 0.5f * dt;
    float u = a.u + half * ex, v = a.v + half * ey, w = a.w + half * ez, t = half * bz, s = 2 * t / (1 + t * t);
    float u1 = u + v * t, v1 = v - u * t;
    u += v1 * s;
    v -= u1 * s;
    a.u = u + half * ex;
    a.v = v + half * ey;
    a.w = w + half * ez;
    a.x += dt * a.u;
    a.y += dt * a.v;
    a.z += dt * a.w;
    p[i] = a;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift;
    particle *p = NEW(particle, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = {(float)number(6 * i), (float)number(6 * i + 1), (float)number(6 * i + 2), (float)number(6 * i + 3),
                (float)number(6 * i + 4), (float)number(6 * i + 5)};
    particle *dp = on_device(p, n);
    double best = fastest(args.repeats, [&] { push<<<ceiling(n, 256), 256>>>(n, dp, 0.001f); });
    to_host(p, dp, n);
    for (int i = 0; i < n; i++)
        sum += p[i].x + 2 * p[i].y + 3 * p[i].z + p[i].u + 2 * p[i].v + 3 * p[i].w;
    report("push", best, sum);
    return 0;
}
