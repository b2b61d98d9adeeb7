// Optimal transport between two clouds of 2048 points in space with entropy (Sinkhorn's iterations in logarithms), float: for each point of one cloud
// the largest exponent over the other, then the logarithm of the exponentials' sum, in turns ten times, and what the plan costs at last.
#include "../kernels.h"

enum { POINTS = 2048, ROUNDS = 10 };

#define BLUR 0.1f

#if SPELLING == 1
static void soften(int n, int m, const float *restrict from, const float *restrict to, const float *restrict other, float *restrict own)
{
    float share = logf(m);
#pragma acc parallel loop gang present(from[0:3 * n], to[0:3 * m], other[0:m], own[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = from[3 * i], y = from[3 * i + 1], z = from[3 * i + 2], largest = -1e30f, sum = 0;
#pragma acc loop vector reduction(max : largest)
        for (int j = 0; j < m; j++) {
            float dx = x - to[3 * j], dy = y - to[3 * j + 1], dz = z - to[3 * j + 2];
            largest = fmaxf(largest, (other[j] - (dx * dx + dy * dy + dz * dz)) / BLUR);
        }
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < m; j++) {
            float dx = x - to[3 * j], dy = y - to[3 * j + 1], dz = z - to[3 * j + 2];
            sum += expf((other[j] - (dx * dx + dy * dy + dz * dz)) / BLUR - largest);
        }
        own[i] = -BLUR * (largest + logf(sum) - share);
    }
}

static double transport(int n, int m, const float *restrict a, const float *restrict b, float *restrict f, float *restrict g)
{
    double cost = 0;
#pragma acc parallel loop present(g[0:m])
    for (int j = 0; j < m; j++)
        g[j] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        soften(n, m, a, b, g, f);
        soften(m, n, b, a, f, g);
    }
#pragma acc parallel loop collapse(2) reduction(+ : cost) present(a[0:3 * n], b[0:3 * m], f[0:n], g[0:m])
#pragma omp parallel for reduction(+ : cost)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float dx = a[3 * i] - b[3 * j], dy = a[3 * i + 1] - b[3 * j + 1], dz = a[3 * i + 2] - b[3 * j + 2], c = dx * dx + dy * dy + dz * dz;
            cost += expf((f[i] + g[j] - c) / BLUR) * c;
        }
    return cost / n / m;
}
#else
typedef struct { float x, y, z, potential; } point;
typedef struct { unsigned count; point *points; } cloud;

#pragma acc routine seq
static float apart(const point *p, const point *q)
{
    const float x = p->x - q->x, y = p->y - q->y, z = p->z - q->z;
    return x * x + y * y + z * z;
}

static void soften(cloud own, cloud other)
{
    const point *q = other.points;
    point *p = own.points;
    const float share = logf(other.count);
#pragma acc parallel loop gang present(p[0:own.count], q[0:other.count])
#pragma omp parallel for
    for (unsigned i = 0; i < own.count; ++i) {
        const point here = p[i];
        float largest = -1e30f, sum = 0.0f;
#pragma acc loop vector reduction(max : largest)
        for (unsigned j = 0; j < other.count; ++j) {
            const float exponent = q[j].potential - apart(&here, &q[j]);
            if (exponent > largest)
                largest = exponent;
        }
#pragma acc loop vector reduction(+ : sum)
        for (unsigned j = 0; j < other.count; ++j)
            sum += expf((q[j].potential - apart(&here, &q[j]) - largest) / BLUR);
        p[i].potential = -(largest + BLUR * (logf(sum) - share));
    }
}

static double transport(cloud a, cloud b)
{
    const point *p = a.points;
    point *q = b.points;
    double cost = 0.0;
#pragma acc kernels loop independent present(q[0:b.count])
    for (unsigned j = 0; j < b.count; ++j)
        q[j].potential = 0.0f;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        soften(a, b);
        soften(b, a);
    }
#pragma acc parallel loop gang reduction(+ : cost) present(p[0:a.count], q[0:b.count])
#pragma omp parallel for reduction(+ : cost)
    for (unsigned i = 0; i < a.count; ++i) {
        double part = 0.0;
#pragma acc loop vector reduction(+ : part)
        for (unsigned j = 0; j < b.count; ++j) {
            const float c = apart(&p[i], &q[j]);
            part += expf((p[i].potential + q[j].potential - c) / BLUR) * c;
        }
        cost += part;
    }
    return cost / a.count / b.count;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> (args.shift + 1) / 2, m = n;
    float *a = NEW(float, 3 * n), *b = NEW(float, 3 * m), *f = NEW(float, n);
    double sum = 0, cost = 0;
    // A cube, and one that lies beside it and is longer.
    FILL(a, 3 * n, 1);
    for (int j = 0; j < 3 * m; j++)
        b[j] = j % 3 ? 0.2 + number(j + 31337) : 0.5 + 1.5 * number(j + 31337);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *g = NEW(float, m);
#pragma acc enter data copyin(a[0:3 * n], b[0:3 * m]) create(f[0:n], g[0:m])
    while (lap(&t))
        cost = transport(n, m, a, b, f, g);
#pragma acc update self(f[0:n])
#else
    point *p = NEW(point, n), *q = NEW(point, m);
    for (int i = 0; i < n; i++)
        p[i] = (point){a[3 * i], a[3 * i + 1], a[3 * i + 2], 0};
    for (int j = 0; j < m; j++)
        q[j] = (point){b[3 * j], b[3 * j + 1], b[3 * j + 2], 0};
#pragma acc enter data copyin(p[0:n], q[0:m])
    while (lap(&t))
        cost = transport((cloud){(unsigned)n, p}, (cloud){(unsigned)m, q});
#pragma acc update self(p[0:n])
    for (int i = 0; i < n; i++)
        f[i] = p[i].potential;
#endif
    for (int i = 0; i < n; i++)
        sum += fabs(f[i]);
    report("transport", t.best, sum + 100 * cost);
    return 0;
}
