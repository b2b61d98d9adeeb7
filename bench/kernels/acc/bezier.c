// A surface of Bezier of 8 x 8 control points, evaluated at 1024 x 1024 places, float: products of two Bernstein polynomials.
#include "../kernels.h"

enum { SIDE = 1024, ORDER = 7 };

typedef struct { float x, y, z; } point;

#if SPELLING == 1
static inline float bernstein(int k, int n, float t)
{
    float blend = 1;
    int nn = n, kn = k, nkn = n - k;
    while (nn >= 1) {
        blend *= nn;
        nn--;
        if (kn > 1) {
            blend /= (float)kn;
            kn--;
        }
        if (nkn > 1) {
            blend /= (float)nkn;
            nkn--;
        }
    }
    if (k > 0)
        blend *= powf(t, (float)k);
    if (n - k > 0)
        blend *= powf(1 - t, (float)(n - k));
    return blend;
}

static void surface(int n, const point *restrict control, point *restrict out)
{
#pragma acc parallel loop collapse(2) present(control[0:(ORDER + 1) * (ORDER + 1)], out[0:n * n])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float mui = i / (float)(n - 1), muj = j / (float)(n - 1);
            point p = {0, 0, 0};
            for (int ki = 0; ki <= ORDER; ki++) {
                float bi = bernstein(ki, ORDER, mui);
                for (int kj = 0; kj <= ORDER; kj++) {
                    float b = bi * bernstein(kj, ORDER, muj);
                    p.x += control[ki * (ORDER + 1) + kj].x * b;
                    p.y += control[ki * (ORDER + 1) + kj].y * b;
                    p.z += control[ki * (ORDER + 1) + kj].z * b;
                }
            }
            out[i * n + j] = p;
        }
}
#else
static void weights(float t, float w[ORDER + 1])
{
    static const float binomial[ORDER + 1] = {1, 7, 21, 35, 35, 21, 7, 1};
    float power = 1;
    for (int k = 0; k <= ORDER; ++k, power *= t)
        w[k] = binomial[k] * power;
    power = 1;
    for (int k = ORDER; k >= 0; --k, power *= 1 - t)
        w[k] *= power;
}

static void surface(size_t n, point control[ORDER + 1][ORDER + 1], point *out)
{
#pragma acc parallel loop gang present(control[0:ORDER + 1], out[0:n * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
#pragma acc loop vector
        for (size_t j = 0; j < n; ++j) {
            float wi[ORDER + 1], wj[ORDER + 1], at[3] = {0, 0, 0};
            weights((float)i / (n - 1), wi);
            weights((float)j / (n - 1), wj);
            for (int k = 0; k <= ORDER; ++k)
                for (int l = 0; l <= ORDER; ++l) {
                    const float *c = &control[k][l].x;
                    for (int d = 0; d < 3; ++d)
                        at[d] += wi[k] * wj[l] * c[d];
                }
            out[i * n + j] = (point){at[0], at[1], at[2]};
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    point *control = NEW(point, (ORDER + 1) * (ORDER + 1)), *out = NEW(point, n *n);
    double sum = 0;
    for (int k = 0; k < (ORDER + 1) * (ORDER + 1); k++)
        control[k] = (point){k / (ORDER + 1), k % (ORDER + 1), number(k)};
#pragma acc enter data copyin(control[0:(ORDER + 1) * (ORDER + 1)]) create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        surface(n, control, out);
#else
        surface(n, (point(*)[ORDER + 1])control, out);
#endif
    }
#pragma acc update self(out[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += out[k].x + 2 * out[k].y + 3 * out[k].z;
    report("bezier", t.best, sum);
    return 0;
}
