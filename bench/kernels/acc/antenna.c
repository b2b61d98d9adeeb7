// The impedances of 2048 segments of a helical wire by the method of moments, double complex: between each two the vector potential by four
// points of Gauss and the scalar potential between their ends.
#include "../kernels.h"
#include <complex.h>

enum { SEGMENTS = 2048, ORDER = 4 };

#define WAVE 6.283185307179586
#define RADIUS 0.002
#define FOUR_PI 12.566370614359172

static const double place[ORDER] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
static const double weight[ORDER] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};

#if SPELLING == 1
static inline double complex green(double dx, double dy, double dz)
{
    double r = sqrt(dx * dx + dy * dy + dz * dz + RADIUS * RADIUS);
    return cexp(-I * WAVE * r) / (FOUR_PI * r);
}

// Segment s is from node s to node s + 1.
static void fill(int n, const double *restrict x, const double *restrict y, const double *restrict z, double complex *restrict matrix)
{
#pragma acc parallel loop collapse(2) copyin(place, weight) present(x[0:n + 1], y[0:n + 1], z[0:n + 1], matrix[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double tx = x[j + 1] - x[j], ty = y[j + 1] - y[j], tz = z[j + 1] - z[j];
            double along = (x[i + 1] - x[i]) * tx + (y[i + 1] - y[i]) * ty + (z[i + 1] - z[i]) * tz;
            double mx = 0.5 * (x[i] + x[i + 1]), my = 0.5 * (y[i] + y[i + 1]), mz = 0.5 * (z[i] + z[i + 1]);
            double complex vector = 0, scalar = 0;
            for (int g = 0; g < ORDER; g++) {
                double f = 0.5 + 0.5 * place[g];
                vector += 0.5 * weight[g] * green(mx - x[j] - f * tx, my - y[j] - f * ty, mz - z[j] - f * tz);
            }
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    double complex g = green(x[i + a] - x[j + b], y[i + a] - y[j + b], z[i + a] - z[j + b]);
                    scalar += a == b ? g : -g;
                }
            matrix[i * n + j] = I * (WAVE * along * vector - scalar / WAVE);
        }
}
#else
typedef struct { double re, im; } cplx;
typedef struct { double x, y, z; } point;

#pragma acc routine seq
static void add_green(cplx *sum, double factor, const point *a, const point *b)
{
    double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    double r = sqrt(dx * dx + dy * dy + dz * dz + RADIUS * RADIUS);
    double phase = -WAVE * r, size = factor / (FOUR_PI * r);
    sum->re += size * cos(phase);
    sum->im += size * sin(phase);
}

static point between(const point *a, const point *b, double f)
{
    point p = {a->x + f * (b->x - a->x), a->y + f * (b->y - a->y), a->z + f * (b->z - a->z)};
    return p;
}

static void fill(size_t n, const point *nodes, cplx *matrix)
{
#pragma acc kernels copyin(place[0:ORDER], weight[0:ORDER]) present(nodes[0:n + 1], matrix[0:n * n])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
#pragma acc loop independent vector(64)
            for (size_t j = 0; j < n; ++j) {
                const point *p = &nodes[i], *q = &nodes[j];
                point centre = between(p, p + 1, 0.5);
                double dot = (p[1].x - p->x) * (q[1].x - q->x) + (p[1].y - p->y) * (q[1].y - q->y) + (p[1].z - p->z) * (q[1].z - q->z);
                cplx vector = {0, 0}, scalar = {0, 0};
                for (int g = 0; g < ORDER; ++g) {
                    point source = between(q, q + 1, (1 + place[g]) / 2);
                    add_green(&vector, weight[g] / 2, &centre, &source);
                }
                add_green(&scalar, 1, p, q);
                add_green(&scalar, -1, p, q + 1);
                add_green(&scalar, -1, p + 1, q);
                add_green(&scalar, 1, p + 1, q + 1);
                cplx *out = matrix + i * n + j;
                out->re = -(WAVE * dot * vector.im - scalar.im / WAVE);
                out->im = WAVE * dot * vector.re - scalar.re / WAVE;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SEGMENTS >> (args.shift + 1) / 2;
    double *x = NEW(double, n + 1), *y = NEW(double, n + 1), *z = NEW(double, n + 1), *matrix = NEW(double, 2 * n * n), sum = 0;
    for (int k = 0; k <= n; k++) {
        x[k] = 0.2 * cos(0.05 * k);
        y[k] = 0.2 * sin(0.05 * k);
        z[k] = 0.002 * k;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double complex *out = (double complex *)matrix;
#pragma acc enter data copyin(x[0:n + 1], y[0:n + 1], z[0:n + 1]) create(out[0:n * n])
    while (lap(&t))
        fill(n, x, y, z, out);
#pragma acc update self(out[0:n * n])
#else
    point *nodes = NEW(point, n + 1);
    cplx *out = (cplx *)matrix;
    for (int k = 0; k <= n; k++)
        nodes[k] = (point){x[k], y[k], z[k]};
#pragma acc enter data copyin(nodes[0:n + 1]) create(out[0:n * n])
    while (lap(&t))
        fill(n, nodes, out);
#pragma acc update host(out[0:n * n])
#endif
    for (int k = 0; k < 2 * n * n; k++)
        sum += fabs(matrix[k]);
    report("antenna", t.best, sum);
    return 0;
}
