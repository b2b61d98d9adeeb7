// A step of the optimiser Adam, float, 2^23 parameters.
#include "../kernels.h"

enum { PARAMETERS = 1 << 23 };

#if SPELLING == 1
static void step(int n, int time, float *restrict p, const float *restrict g, float *restrict m, float *restrict v)
{
    const float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
    float correct1 = 1 - powf(beta1, time), correct2 = 1 - powf(beta2, time);
#pragma acc parallel loop present(p[0:n], g[0:n], m[0:n], v[0:n])
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        float mean = m[i] / correct1, variance = v[i] / correct2;
        p[i] -= rate * mean / (sqrtf(variance) + epsilon);
    }
}
#else
#define BETA1 0.9f
#define BETA2 0.999f

struct adam {
    float *p, *g, *m, *v;
    float rate, epsilon;
};

#pragma acc routine seq
static void moment(float *m, float beta, float x) { *m = beta * *m + (1.0f - beta) * x; }

static void step(size_t n, int time, float *p, float *g, float *m, float *v)
{
    struct adam o = {p, g, m, v, 1e-3f, 1e-8f};
    float *om = o.m, *ov = o.v, *op = o.p;
#pragma acc parallel loop gang vector present(op[0:n], g[0:n], om[0:n], ov[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        moment(&om[i], BETA1, g[i]);
        moment(&ov[i], BETA2, g[i] * g[i]);
        float mean = om[i] / (1.0f - powf(BETA1, (float)time));
        float variance = ov[i] / (1.0f - powf(BETA2, (float)time));
        op[i] = op[i] - o.rate * mean / (sqrtf(variance) + o.epsilon);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARAMETERS >> args.shift, time = 0;
    float *p = NEW(float, n), *g = NEW(float, n), *m = NEW(float, n), *v = NEW(float, n);
    double sum = 0;
    FILL(p, n, 1);
    for (int i = 0; i < n; i++)
        g[i] = (float)number(i + n) - 0.4f;
    FILL(m, n, 0);
    FILL(v, n, 0);
#pragma acc enter data copyin(p[0:n], g[0:n], m[0:n], v[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, ++time, p, g, m, v);
#pragma acc update self(p[0:n], m[0:n], v[0:n])
    for (int i = 0; i < n; i++)
        sum += p[i] * (1 + i % 7) + m[i] + v[i];
    report("adam", t.best, sum);
    return 0;
}
