// A step of sound in 160^3 cells of a staggered grid, float, with absorbing layers of ten cells on all sides
// (convolutional PML): velocities from the slopes of pressure, pressure from those of velocities; in the layers each
// slope has a memory.
#include "../kernels.h"

enum { SIDE = 160, LAYER = 10 };

#if SPELLING == 1
static void step(int n, const float *restrict stiff, const float *restrict a, const float *restrict b,
                 float *restrict p, float *restrict vx, float *restrict vy, float *restrict vz, float *restrict px,
                 float *restrict py, float *restrict pz, float *restrict qx, float *restrict qy, float *restrict qz)
{
    int all = n * n * n;
#pragma acc data present(stiff[0:all], a[0:2 * n], b[0:2 * n], p[0:all], vx[0:all], vy[0:all], vz[0:all]) \
    present(px[0:all], py[0:all], pz[0:all], qx[0:all], qy[0:all], qz[0:all])
    {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int z = 0; z < n - 1; z++)
            for (int y = 0; y < n - 1; y++)
                for (int x = 0; x < n - 1; x++) {
                    int i = (z * n + y) * n + x;
                    float dx = p[i + 1] - p[i], dy = p[i + n] - p[i], dz = p[i + n * n] - p[i];
                    if (x < LAYER || x >= n - LAYER - 1) {
                        px[i] = b[x] * px[i] + a[x] * dx;
                        dx += px[i];
                    }
                    if (y < LAYER || y >= n - LAYER - 1) {
                        py[i] = b[y] * py[i] + a[y] * dy;
                        dy += py[i];
                    }
                    if (z < LAYER || z >= n - LAYER - 1) {
                        pz[i] = b[z] * pz[i] + a[z] * dz;
                        dz += pz[i];
                    }
                    vx[i] -= 0.5f * dx;
                    vy[i] -= 0.5f * dy;
                    vz[i] -= 0.5f * dz;
                }
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int z = 1; z < n - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < n - 1; x++) {
                    int i = (z * n + y) * n + x;
                    float dx = vx[i] - vx[i - 1], dy = vy[i] - vy[i - n], dz = vz[i] - vz[i - n * n];
                    if (x < LAYER || x >= n - LAYER) {
                        qx[i] = b[n + x] * qx[i] + a[n + x] * dx;
                        dx += qx[i];
                    }
                    if (y < LAYER || y >= n - LAYER) {
                        qy[i] = b[n + y] * qy[i] + a[n + y] * dy;
                        dy += qy[i];
                    }
                    if (z < LAYER || z >= n - LAYER) {
                        qz[i] = b[n + z] * qz[i] + a[n + z] * dz;
                        dz += qz[i];
                    }
                    p[i] -= 0.5f * stiff[i] * (dx + dy + dz);
                }
    }
}
#else
#define LAYERED(k, end) ((k) < LAYER || (k) >= (end) - LAYER)
#define ABSORB(slope, memory, k)                                             \
    do {                                                                     \
        float m = decay[k] * (memory)[i] + gain[k] * (slope);                \
        (memory)[i] = m;                                                     \
        (slope) += m;                                                        \
    } while (0)

static void step(size_t n, float *stiff, float *a, float *b, float *p, float *vx, float *vy, float *vz, float *px,
                 float *py, float *pz, float *qx, float *qy, float *qz)
{
    const size_t row = n, plane = n * n, all = n * n * n;
    float *gain = a, *decay = b;
#pragma acc parallel loop gang collapse(2) vector_length(128) present(gain[0:2 * n], decay[0:2 * n], p[0:all]) \
    present(vx[0:all], vy[0:all], vz[0:all], px[0:all], py[0:all], pz[0:all])
#pragma omp parallel for collapse(2)
    for (size_t z = 0; z < n - 1; ++z)
        for (size_t y = 0; y < n - 1; ++y) {
#pragma acc loop vector
            for (size_t x = 0; x < n - 1; ++x) {
                const size_t i = z * plane + y * row + x;
                float here = p[i], dx = p[i + 1] - here, dy = p[i + row] - here, dz = p[i + plane] - here;
                if (LAYERED(x, n - 1))
                    ABSORB(dx, px, x);
                if (LAYERED(y, n - 1))
                    ABSORB(dy, py, y);
                if (LAYERED(z, n - 1))
                    ABSORB(dz, pz, z);
                vx[i] -= 0.5f * dx;
                vy[i] -= 0.5f * dy;
                vz[i] -= 0.5f * dz;
            }
        }
    gain += n;
    decay += n;
#pragma acc parallel loop gang collapse(2) vector_length(128) present(gain[0:n], decay[0:n], p[0:all], stiff[0:all]) \
    present(vx[0:all], vy[0:all], vz[0:all], qx[0:all], qy[0:all], qz[0:all])
#pragma omp parallel for collapse(2)
    for (size_t z = 1; z < n - 1; ++z)
        for (size_t y = 1; y < n - 1; ++y) {
#pragma acc loop vector
            for (size_t x = 1; x < n - 1; ++x) {
                const size_t i = z * plane + y * row + x;
                float dx = vx[i] - vx[i - 1], dy = vy[i] - vy[i - row], dz = vz[i] - vz[i - plane];
                if (LAYERED(x, n))
                    ABSORB(dx, qx, x);
                if (LAYERED(y, n))
                    ABSORB(dy, qy, y);
                if (LAYERED(z, n))
                    ABSORB(dz, qz, z);
                p[i] -= 0.5f * stiff[i] * (dx + dy + dz);
            }
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    float *stiff = NEW(float, all), *p = NEW(float, all), *a = calloc(2 * n, 4), *b = calloc(2 * n, 4), *v[9];
    double sum = 0;
    for (int k = 0; k < 9; k++)
        v[k] = calloc(all, sizeof(float));
    float *vx = v[0], *vy = v[1], *vz = v[2], *px = v[3], *py = v[4], *pz = v[5], *qx = v[6], *qy = v[7], *qz = v[8];
    for (int k = 0; k < all; k++) {
        double x = (k % n) / (double)n - 0.4, y = (k / n % n) / (double)n - 0.5, z = (k / n / n) / (double)n - 0.6;
        stiff[k] = 0.5 + 0.3 * (z > 0) + 0.1 * number(k);
        p[k] = exp(-40 * (x * x + y * y + z * z)) + 0.1 * cos(20 * x);
    }
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < n; k++) {
            double left = (LAYER - k - (half ? 0 : 0.5)) / LAYER,
                   right = (k + (half ? 0 : 0.5) - (n - 1 - LAYER)) / LAYER;
            double depth = fmax(0, fmax(left, right)), damp = 0.8 * depth * depth;
            b[half * n + k] = exp(-(damp + 0.05) * 0.5);
            a[half * n + k] = damp / (damp + 0.05) * (b[half * n + k] - 1);
        }
#pragma acc enter data copyin(stiff[0:all], a[0:2 * n], b[0:2 * n], p[0:all], vx[0:all], vy[0:all], vz[0:all]) \
    copyin(px[0:all], py[0:all], pz[0:all], qx[0:all], qy[0:all], qz[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, stiff, a, b, p, vx, vy, vz, px, py, pz, qx, qy, qz);
#pragma acc update self(p[0:all], vx[0:all])
    for (int k = 0; k < all; k++)
        sum += fabsf(p[k]) + fabsf(vx[k]);
    report("cpml", t.best, sum);
    return 0;
}
