// Planes of the interface between two fluids in 256^3 cells, double: normals by Youngs' method from the fractions in
// 27 cells, then the distance at which a plane cuts off the cell's fraction (Scardovelli and Zaleski).
#include "../kernels.h"

enum { SIDE = 256 };

#define THIN 1e-8

#if SPELLING == 1
// m1 + m2 + m3 = 1, m1 <= m2 <= m3
static inline double offset(double m1, double m2, double m3, double c)
{
    double m12 = m1 + m2, half = fmin(c, 1 - c), m = fmin(m3, m12), alpha;
    double v1 = m1 * m1 / fmax(6 * m2 * m3, 1e-50), v2 = v1 + (m2 - m1) / (2 * m3), v3 = m12 / (2 * m3);
    if (m3 < m12)
        v3 = (m * m * (3 * m12 - m) + m1 * m1 * (m1 - 3 * m) + m2 * m2 * (m2 - 3 * m)) / (6 * m1 * m2 * m3);
    if (half < v1)
        alpha = cbrt(6 * m1 * m2 * m3 * half);
    else if (half < v2)
        alpha = 0.5 * (m1 + sqrt(m1 * m1 + 8 * m2 * m3 * (half - v1)));
    else if (half >= v3 && m12 <= m3)
        alpha = m3 * half + 0.5 * m12;
    else {
        int middle = half >= v3;
        double p = middle ? m1 * (m2 + m3) + m2 * m3 - 0.25 : 2 * m1 * m2;
        double q = middle ? 1.5 * m1 * m2 * m3 * (0.5 - half) : 1.5 * m1 * m2 * (m12 - 2 * m3 * half);
        double root = sqrt(p), s = cos(acos(fmin(1, fmax(-1, q / (p * root)))) / 3);
        alpha = root * (sqrt(3 * fmax(0, 1 - s * s)) - s) + (middle ? 0.5 : m12);
    }
    return c > 0.5 ? 1 - alpha : alpha;
}

static int planes(int depth, const double *restrict c, double *restrict normal, double *restrict alpha)
{
    const int row = SIDE, layer = SIDE * SIDE, all = depth * layer;
    int cut = 0;
#pragma acc parallel loop gang vector collapse(3) reduction(+ : cut) \
    present(c[0:all], normal[0:3 * all], alpha[0:all])
#pragma omp parallel for collapse(2) reduction(+ : cut)
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                int i = (z * SIDE + y) * SIDE + x;
                double g[3] = {0, 0, 0}, a = 0;
                int inside = x > 0 && x < SIDE - 1 && y > 0 && y < SIDE - 1 && z > 0 && z < depth - 1;
                if (inside && c[i] > THIN && c[i] < 1 - THIN) {
                    for (int p = -1; p <= 1; p++)
                        for (int q = -1; q <= 1; q++) {
                            int w = (2 - abs(p)) * (2 - abs(q));
                            g[0] -= w * (c[i + p * layer + q * row + 1] - c[i + p * layer + q * row - 1]);
                            g[1] -= w * (c[i + p * layer + q + row] - c[i + p * layer + q - row]);
                            g[2] -= w * (c[i + p * row + q + layer] - c[i + p * row + q - layer]);
                        }
                    double size = fabs(g[0]) + fabs(g[1]) + fabs(g[2]) + 1e-30;
                    for (int k = 0; k < 3; k++)
                        g[k] /= size;
                    double m1 = fmin(fabs(g[0]), fabs(g[1])), most = fmax(fabs(g[0]), fabs(g[1]));
                    double m3 = fmax(most, fabs(g[2])), m2 = fmin(most, fmax(m1, fabs(g[2])));
                    a = offset(fmin(m1, fabs(g[2])), m2, m3, c[i]);
                    cut++;
                }
                for (int k = 0; k < 3; k++)
                    normal[k * all + i] = g[k];
                alpha[i] = a;
            }
    return cut;
}
#else
typedef double field[SIDE][SIDE];

#define MIXED(v) ((v) > THIN && 1 - (v) > THIN)
#define SLOPE(a, b, c, d) ((a) + 2 * (b) + (c) + 2 * (d))
#define SORT(a, b) if ((a) > (b)) { double keep = a; a = b; b = keep; }

static inline double across(double p, double q)
{
    double cosine = q / (p * sqrt(p));
    double s = cos(acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine) / 3), rest = 1 - s * s;
    return sqrt(p) * ((rest > 0 ? sqrt(3 * rest) : 0) - s);
}

#pragma acc routine seq
static double cut_at(const double m[3], double v)
{
    double product = m[0] * m[1] * m[2], low = m[0] + m[1], v1 = m[0] * m[0] / (6 * m[1] * m[2] + 1e-50);
    if (v < v1)
        return cbrt(6 * product * v);
    if (v < v1 + (m[1] - m[0]) / (2 * m[2]))
        return (m[0] + sqrt(m[0] * m[0] + 8 * m[1] * m[2] * (v - v1))) / 2;
    if (m[2] >= low)
        return v < low / (2 * m[2]) ? across(2 * m[0] * m[1], 1.5 * m[0] * m[1] * (low - 2 * m[2] * v)) + low
                                    : m[2] * v + low / 2;
    double most = m[2] * m[2] * (3 * low - m[2]);
    for (int k = 0; k < 2; ++k)
        most += m[k] * m[k] * (m[k] - 3 * m[2]);
    if (v < most / (6 * product))
        return across(2 * m[0] * m[1], 1.5 * m[0] * m[1] * (low - 2 * m[2] * v)) + low;
    return across(m[0] * m[1] + m[2] * low - 0.25, 1.5 * product * (0.5 - v)) + 0.5;
}

static int planes(size_t depth, double *in, double *out, double *distance)
{
    field *c = (field *)in, *nx = (field *)out, *ny = nx + depth, *nz = ny + depth, *alpha = (field *)distance;
    unsigned cut = 0;
#pragma acc parallel loop gang collapse(2) reduction(+ : cut) present(c[0:depth], nx[0:3 * depth], alpha[0:depth])
#pragma omp parallel for collapse(2) reduction(+ : cut)
    for (size_t z = 0; z < depth; ++z)
        for (size_t y = 0; y < SIDE; ++y) {
#pragma acc loop vector reduction(+ : cut)
            for (size_t x = 0; x < SIDE; ++x) {
                nx[z][y][x] = ny[z][y][x] = nz[z][y][x] = alpha[z][y][x] = 0;
                if (!x || !y || !z || x + 1 == SIDE || y + 1 == SIDE || z + 1 == depth || !MIXED(c[z][y][x]))
                    continue;
                double g[3] = {0, 0, 0};
                for (int q = -1; q < 2; ++q)
                    for (int p = -1; p < 2; ++p) {
                        double w = (p ? 1 : 2) * (q ? 1 : 2);
                        g[0] += w * (c[z + q][y + p][x - 1] - c[z + q][y + p][x + 1]);
                        g[1] += w * (c[z + q][y - 1][x + p] - c[z + q][y + 1][x + p]);
                        g[2] += w * (c[z - 1][y + q][x + p] - c[z + 1][y + q][x + p]);
                    }
                double size = fabs(g[0]) + fabs(g[1]) + fabs(g[2]) + 1e-30, m[3];
                for (int k = 0; k < 3; ++k)
                    m[k] = fabs(g[k]) / size;
                nx[z][y][x] = g[0] / size;
                ny[z][y][x] = g[1] / size;
                nz[z][y][x] = g[2] / size;
                SORT(m[0], m[1])
                SORT(m[1], m[2])
                SORT(m[0], m[1])
                double v = c[z][y][x], a = cut_at(m, v < 0.5 ? v : 1 - v);
                alpha[z][y][x] = v > 0.5 ? 1 - a : a;
                ++cut;
            }
        }
    return (int)cut;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, cut = 0;
    double *c = NEW(double, n), *normal = NEW(double, 3 * (size_t)n), *alpha = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE, ball = (z / 16 * 16 + y / 16) * 16 + x / 16;
        double u = x % 16 - 7.5, v = y % 16 - 7.2, w = z % 16 - 7.9, r = 4 + 3 * number(ball);
        c[i] = fmin(1, fmax(0, 0.5 + r - sqrt(u * u + 1.2 * v * v + 0.9 * w * w)));
    }
#pragma acc enter data copyin(c[0:n]) create(normal[0:3 * n], alpha[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        cut = planes(depth, c, normal, alpha);
#pragma acc update self(normal[0:3 * n], alpha[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(normal[i]) + 2 * fabs(normal[n + i]) + 3 * fabs(normal[2 * n + i]) + alpha[i];
    report("plic", t.best, sum + cut);
    return 0;
}
