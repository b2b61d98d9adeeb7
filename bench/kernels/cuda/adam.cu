// A step of the optimiser Adam, float, 2^23 parameters: a thread four of them.
#include "kernels.cuh"

struct settings {
    float rate, beta1, beta2, epsilon, correct1, correct2;
};

__device__ void one(settings s, float &p, float g, float &m, float &v)
{
    m = s.beta1 * m + (1 - s.beta1) * g;
    v = s.beta2 * v + (1 - s.beta2) * g * g;
    float mean = m / s.correct1, variance = v / s.correct2;
    p -= s.rate * mean / (sqrtf(variance) + s.epsilon);
}

__global__ void step(int n, settings s, float4 *__restrict__ p, const float4 *__restrict__ g, float4 *__restrict__ m,
                     float4 *__restrict__ v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4)
        return;
    float4 pi = p[i], gi = g[i], mi = m[i], vi = v[i];
    one(s, pi.x, gi.x, mi.x, vi.x);
    one(s, pi.y, gi.y, mi.y, vi.y);
    one(s, pi.z, gi.z, mi.z, vi.z);
    one(s, pi.w, gi.w, mi.w, vi.w);
    m[i] = mi;
    v[i] = vi;
    p[i] = pi;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 23) >> args.shift, time = 0;
    float *p = NEW(float, n), *g = NEW(float, n), *m = NEW(float, n), *v = NEW(float, n);
    double sum = 0;
    FILL(p, n, 1);
    for (int i = 0; i < n; i++)
        g[i] = (float)number(i + n) - 0.4f;
    FILL(m, n, 0);
    FILL(v, n, 0);
    float *dp = on_device(p, n), *dg = on_device(g, n), *dm = on_device(m, n), *dv = on_device(v, n);
    double best = fastest(args.repeats, [&] {
        time++;
        settings s = {1e-3f, 0.9f, 0.999f, 1e-8f, 1 - powf(0.9f, time), 1 - powf(0.999f, time)};
        step<<<ceiling(n / 4, 256), 256>>>(n, s, reinterpret_cast<float4 *>(dp), reinterpret_cast<float4 *>(dg),
                                           reinterpret_cast<float4 *>(dm), reinterpret_cast<float4 *>(dv));
    });
    to_host(p, dp, n);
    to_host(m, dm, n);
    to_host(v, dv, n);
    for (int i = 0; i < n; i++)
        sum += p[i] * (1 + i % 7) + m[i] + v[i];
    report("adam", best, sum);
    return 0;
}
