// A step of a wave in 192 x 192 x 192 cells, float: eighth order in space, 25 points, and a velocity for each cell.
#include "../kernels.h"

enum { N = 192, R = 4 };

static const float c[R + 1] = {-2.847222f * 3, 1.6f, -0.2f, 0.02539683f, -0.001785714f};

#if SPELLING == 1
static void step(int n, float *restrict next, const float *restrict now, const float *restrict velocity)
{
    const int nn = n * n;
    float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
#pragma acc parallel loop collapse(3) present(next[0:n * nn], now[0:n * nn], velocity[0:n * nn])
#pragma omp parallel for collapse(2)
    for (int z = R; z < n - R; z++)
        for (int y = R; y < n - R; y++)
            for (int x = R; x < n - R; x++) {
                int at = z * nn + y * n + x;
                float sum = c0 * now[at] + c1 * (now[at - 1] + now[at + 1] + now[at - n] + now[at + n] + now[at - nn] + now[at + nn]) +
                            c2 * (now[at - 2] + now[at + 2] + now[at - 2 * n] + now[at + 2 * n] + now[at - 2 * nn] + now[at + 2 * nn]) +
                            c3 * (now[at - 3] + now[at + 3] + now[at - 3 * n] + now[at + 3 * n] + now[at - 3 * nn] + now[at + 3 * nn]) +
                            c4 * (now[at - 4] + now[at + 4] + now[at - 4 * n] + now[at + 4 * n] + now[at - 4 * nn] + now[at + 4 * nn]);
                next[at] = 2 * now[at] - next[at] + velocity[at] * sum;
            }
}
#elif SPELLING == 3
static void step(int n, float *pnext, float *pnow, float *pvel)
{
    float(*next)[n][n] = (float(*)[n][n])pnext, (*now)[n][n] = (float(*)[n][n])pnow, (*vel)[n][n] = (float(*)[n][n])pvel;
#pragma acc parallel loop tile(32, 4, 2) present(next[0:n], now[0:n], vel[0:n]) copyin(c)
    for (int k = R; k < n - R; k++)
        for (int j = R; j < n - R; j++)
            for (int i = R; i < n - R; i++) {
                float lap = c[0] * now[k][j][i];
#pragma acc loop seq
                for (int r = 1; r <= R; r++)
                    lap += c[r] * (now[k][j][i + r] + now[k][j][i - r] + now[k][j + r][i] + now[k][j - r][i] + now[k + r][j][i] + now[k - r][j][i]);
                next[k][j][i] = 2.0f * now[k][j][i] - next[k][j][i] + vel[k][j][i] * lap;
            }
}
#elif SPELLING == 4
static inline float second(const float *p, long stride)
{
    return c[0] / 3 * p[0] + c[1] * (p[stride] + p[-stride]) + c[2] * (p[2 * stride] + p[-2 * stride]) + c[3] * (p[3 * stride] + p[-3 * stride]) +
           c[4] * (p[4 * stride] + p[-4 * stride]);
}
static void step(int n, float *restrict unew, const float *restrict u, const float *restrict vp)
{
    const long dy = n, dz = (long)n * n;
#pragma acc parallel present(unew[0:dz * n], u[0:dz * n], vp[0:dz * n]) num_workers(4) vector_length(32)
#pragma acc loop gang
    for (int z = 4; z <= n - 5; z++)
#pragma acc loop worker
        for (int y = 4; y <= n - 5; y++)
#pragma acc loop vector
            for (int x = 4; x <= n - 5; x++) {
                const float *p = u + z * dz + y * dy + x;
                float d2 = second(p, 1) + second(p, dy) + second(p, dz);
                long at = z * dz + y * dy + x;
                unew[at] = 2 * p[0] - unew[at] + vp[at] * d2;
            }
}
#else
#define AROUND(r) (now[z][y][x - (r)] + now[z][y][x + (r)] + now[z][y - (r)][x] + now[z][y + (r)][x] + now[z - (r)][y][x] + now[z + (r)][y][x])

static void step(size_t n, float *to, float *from, float *speed)
{
    float(*next)[n][n] = (float(*)[n][n])to, (*now)[n][n] = (float(*)[n][n])from, (*velocity)[n][n] = (float(*)[n][n])speed;
#pragma acc parallel loop gang present(next[0:n], now[0:n], velocity[0:n])
#pragma omp parallel for
    for (size_t z = R; z < n - R; ++z)
#pragma acc loop worker
        for (size_t y = R; y < n - R; ++y)
#pragma acc loop vector
            for (size_t x = R; x < n - R; ++x) {
                float sum = c[0] * now[z][y][x];
                for (int r = 1; r <= R; ++r)
                    sum += c[r] * AROUND(r);
                next[z][y][x] = 2 * now[z][y][x] - next[z][y][x] + velocity[z][y][x] * sum;
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = args.shift ? N >> args.shift / 3 : N, all = n * n * n;
    float *a = NEW(float, all), *b = NEW(float, all), *v = NEW(float, all);
    double sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 1);
    FILL(v, all, 0.1);
#pragma acc enter data copyin(a[0:all], b[0:all], v[0:all])
    struct watch t = watch(args.repeats);
    step(n, a, b, v);
#pragma acc update self(a[0:all])
    for (int k = 0; k < all; k++)
        sum += fabsf(a[k]);
    while (lap(&t))
        step(n, a, b, v);
    report("iso", t.best, sum);
    return 0;
}
