// Smoke in a field of 1024 x 1024 floats is carried back along a velocity, found between four points, with a second step that corrects the error.
#include "../kernels.h"

enum { SIDE = 1024 };

#if SPELLING == 1
static inline float between(const float *f, int n, float x, float y)
{
    x = fminf(fmaxf(x, 0.5f), n - 1.5f);
    y = fminf(fmaxf(y, 0.5f), n - 1.5f);
    int i = (int)x, j = (int)y;
    float s = x - i, t = y - j;
    return (1 - s) * ((1 - t) * f[j * n + i] + t * f[(j + 1) * n + i]) + s * ((1 - t) * f[j * n + i + 1] + t * f[(j + 1) * n + i + 1]);
}

static void advect(int n, float dt, const float *restrict u, const float *restrict v, const float *restrict in, float *restrict half,
                   float *restrict out)
{
#pragma acc data present(u[0:n * n], v[0:n * n], in[0:n * n], half[0:n * n], out[0:n * n])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                half[j * n + i] = between(in, n, i - dt * u[j * n + i], j - dt * v[j * n + i]);
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                float back = between(half, n, i + dt * u[j * n + i], j + dt * v[j * n + i]);
                out[j * n + i] = half[j * n + i] + 0.5f * (in[j * n + i] - back);
            }
    }
}
#else
typedef struct { double x, y; } position;
typedef struct { size_t side; const float *at; } field;
#define LIMIT(x, a, b) ((x) < (a) ? (a) : (x) > (b) ? (b) : (x))

static float sampled(const field *f, position p)
{
    p.x = LIMIT(p.x, 0.5, f->side - 1.5);
    p.y = LIMIT(p.y, 0.5, f->side - 1.5);
    size_t i = (size_t)p.x, j = (size_t)p.y;
    float s = (float)(p.x - i), t = (float)(p.y - j);
    const float *corner = f->at + j * f->side + i;
    float top = corner[0] + s * (corner[1] - corner[0]), bottom = corner[f->side] + s * (corner[f->side + 1] - corner[f->side]);
    return top + t * (bottom - top);
}

static position moved(size_t i, size_t j, float dt, float u, float v)
{
    position p = {i, j};
    p.x += dt * u;
    p.y += dt * v;
    return p;
}

static void advect(size_t n, float dt, float *u, float *v, float *in, float *half, float *out)
{
    field from = {n, in}, between = {n, half};
#pragma acc parallel loop gang present(u[0:n * n], v[0:n * n], in[0:n * n], half[0:n * n])
#pragma omp parallel for
    for (size_t j = 0; j < n; ++j)
#pragma acc loop vector
        for (size_t i = 0; i < n; ++i) {
            field f = from;
            f.at = in;
            half[j * n + i] = sampled(&f, moved(i, j, -dt, u[j * n + i], v[j * n + i]));
        }
#pragma acc parallel loop gang present(u[0:n * n], v[0:n * n], in[0:n * n], half[0:n * n], out[0:n * n])
#pragma omp parallel for
    for (size_t j = 0; j < n; ++j)
#pragma acc loop vector
        for (size_t i = 0; i < n; ++i) {
            field f = between;
            f.at = half;
            float error = in[j * n + i] - sampled(&f, moved(i, j, dt, u[j * n + i], v[j * n + i]));
            out[j * n + i] = half[j * n + i] + error / 2;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    float *u = NEW(float, n *n), *v = NEW(float, n *n), *in = NEW(float, n *n), *half = NEW(float, n *n), *out = NEW(float, n *n);
    double sum = 0;
    FILL(u, n * n, 4);
    FILL(v, n * n, 3);
    FILL(in, n * n, 1);
#pragma acc enter data copyin(u[0:n * n], v[0:n * n], in[0:n * n]) create(half[0:n * n], out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        advect(n, 0.7f, u, v, in, half, out);
#pragma acc update self(out[0:n * n])
    SUM(sum, out, n * n);
    // Positions of float and of double differ in their last bits.
    report("advect", t.best, floor(sum / 10));
    return 0;
}
