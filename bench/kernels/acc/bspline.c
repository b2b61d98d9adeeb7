// A field of 64^3 coefficients of cubic splines at 2^18 points: the value and its three derivatives, float.
#include "../kernels.h"

enum { SIDE = 64, POINTS = 1 << 18 };

#if SPELLING == 1
static inline void weights(float t, float w[4], float d[4])
{
    float u = 1 - t;
    w[0] = u * u * u / 6;
    w[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    w[2] = (3 * u * u * u - 6 * u * u + 4) / 6;
    w[3] = t * t * t / 6;
    d[0] = -0.5f * u * u;
    d[1] = 1.5f * t * t - 2 * t;
    d[2] = -1.5f * u * u + 2 * u;
    d[3] = 0.5f * t * t;
}

static void values(int n, int side, const float *restrict field, const float *restrict at, float *restrict out)
{
#pragma acc parallel loop present(field[0:side * side * side], at[0:3 * n], out[0:4 * n])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        float x = at[p], y = at[n + p], z = at[2 * n + p], wx[4], wy[4], wz[4], dx[4], dy[4], dz[4];
        int ix = (int)x, iy = (int)y, iz = (int)z;
        weights(x - ix, wx, dx);
        weights(y - iy, wy, dy);
        weights(z - iz, wz, dz);
        float v = 0, gx = 0, gy = 0, gz = 0;
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++)
                for (int i = 0; i < 4; i++) {
                    float c = field[((iz + k) * side + iy + j) * side + ix + i];
                    v += c * wx[i] * wy[j] * wz[k];
                    gx += c * dx[i] * wy[j] * wz[k];
                    gy += c * wx[i] * dy[j] * wz[k];
                    gz += c * wx[i] * wy[j] * dz[k];
                }
        out[4 * p] = v;
        out[4 * p + 1] = gx;
        out[4 * p + 2] = gy;
        out[4 * p + 3] = gz;
    }
}
#else
typedef struct { float value, slope[3]; } sample;
static const float basis[4][4] = {{1, 4, 1, 0}, {-3, 0, 3, 0}, {3, -6, 3, 0}, {-1, 3, -3, 1}};
#pragma acc declare copyin(basis)

static void along(float t, float w[2][4])
{
    const float powers[4] = {1, t, t * t, t * t * t}, slopes[4] = {0, 1, 2 * t, 3 * t * t};
    for (int i = 0; i < 4; ++i) {
        w[0][i] = w[1][i] = 0;
        for (int k = 0; k < 4; ++k) {
            w[0][i] += powers[k] * basis[k][i] / 6;
            w[1][i] += slopes[k] * basis[k][i] / 6;
        }
    }
}

static sample at_point(const float *field, size_t side, const float where[3])
{
    float w[3][2][4];
    size_t cell[3];
    for (int d = 0; d < 3; ++d) {
        cell[d] = (size_t)where[d];
        along(where[d] - cell[d], w[d]);
    }
    sample s = {0, {0, 0, 0}};
    for (size_t k = 0; k < 4; ++k)
        for (size_t j = 0; j < 4; ++j) {
            const float *row = field + ((cell[2] + k) * side + cell[1] + j) * side + cell[0];
            float value = 0, slope = 0;
            for (size_t i = 0; i < 4; ++i) {
                value += row[i] * w[0][0][i];
                slope += row[i] * w[0][1][i];
            }
            s.value += value * w[1][0][j] * w[2][0][k];
            s.slope[0] += slope * w[1][0][j] * w[2][0][k];
            s.slope[1] += value * w[1][1][j] * w[2][0][k];
            s.slope[2] += value * w[1][0][j] * w[2][1][k];
        }
    return s;
}

static void values(size_t n, size_t side, float *field, float *at, float *to)
{
    sample *out = (sample *)to;
#pragma acc parallel loop gang vector present(field[0:side * side * side], at[0:3 * n], out[0:n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
        float where[3] = {at[p], at[n + p], at[2 * n + p]};
        out[p] = at_point(field, side, where);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, side = SIDE;
    float *field = NEW(float, side *side *side), *at = NEW(float, 3 * n), *out = NEW(float, 4 * n);
    double sum = 0;
    FILL(field, side * side * side, 1);
    FILL(at, 3 * n, SIDE - 4);
#pragma acc enter data copyin(field[0:side * side * side], at[0:3 * n]) create(out[0:4 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        values(n, side, field, at, out);
#pragma acc update self(out[0:4 * n])
    for (int k = 0; k < 4 * n; k++)
        sum += fabsf(out[k]);
    report("bspline", t.best, sum);
    return 0;
}
