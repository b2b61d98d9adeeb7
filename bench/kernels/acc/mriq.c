// Reconstruction of magnetic resonance images, float: 2^15 voxels, sums of cosines and sines over 2048 samples.
#include "../kernels.h"

enum { VOXELS = 1 << 15, SAMPLES = 2048 };

#if SPELLING == 1
static void transform(int n, int samples, const float *restrict x, const float *restrict y, const float *restrict z,
                      const float *restrict kx, const float *restrict ky, const float *restrict kz,
                      const float *restrict phi, float *restrict qr, float *restrict qi)
{
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n], kx[0:samples], ky[0:samples], kz[0:samples]) \
    present(phi[0:samples], qr[0:n], qi[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float r = 0, im = 0;
        for (int k = 0; k < samples; k++) {
            float angle = 6.2831853f * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i]);
            r += phi[k] * cosf(angle);
            im += phi[k] * sinf(angle);
        }
        qr[i] = r;
        qi[i] = im;
    }
}
#elif SPELLING == 3
struct kspace { const float *x, *y, *z, *mag; };
static void compute_q(int numX, int numK, struct kspace k, const float *x, const float *y, const float *z, float *Qr, float *Qi)
{
    const float *kx = k.x, *ky = k.y, *kz = k.z, *mag = k.mag;
#pragma acc kernels loop independent present(kx[0:numK], ky[0:numK], kz[0:numK], mag[0:numK], x[0:numX], y[0:numX], z[0:numX], Qr[0:numX], Qi[0:numX])
    for (int indexX = 0; indexX < numX; indexX++) {
        Qr[indexX] = 0;
        Qi[indexX] = 0;
        for (int indexK = 0; indexK < numK; indexK++) {
            float expArg = 6.2831853f * (kx[indexK] * x[indexX] + ky[indexK] * y[indexX] + kz[indexK] * z[indexX]);
            float cosArg = cosf(expArg);
            float sinArg = sinf(expArg);
            Qr[indexX] += mag[indexK] * cosArg;
            Qi[indexX] += mag[indexK] * sinArg;
        }
    }
}
static void transform(int n, int m, float *x, float *y, float *z, float *kx, float *ky, float *kz, float *phi, float *qr, float *qi)
{
    struct kspace k = {kx, ky, kz, phi};
    compute_q(n, m, k, x, y, z, qr, qi);
}
#elif SPELLING == 4
static void transform(size_t n, size_t m, const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict kx,
                      const float *restrict ky, const float *restrict kz, const float *restrict phi, float *restrict qr, float *restrict qi)
{
#pragma acc parallel loop gang default(present) vector_length(128)
    for (size_t v = 0; v < n; v++) {
        float re = 0, im = 0;
#pragma acc loop vector reduction(+ : re, im)
        for (size_t s = 0; s < m; s++) {
            const float a = 6.2831853f * (kx[s] * x[v] + ky[s] * y[v] + kz[s] * z[v]);
            re += phi[s] * cosf(a);
            im += phi[s] * sinf(a);
        }
        qr[v] = re;
        qi[v] = im;
    }
}
#else
typedef struct {
    float x, y, z;
} vec;
#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

static void transform(size_t n, size_t samples, float *x, float *y, float *z, float *kx, float *ky, float *kz, float *phi,
                      float *qr, float *qi)
{
#pragma acc parallel loop gang vector vector_length(256) present(x[0:n], y[0:n], z[0:n], qr[0:n], qi[0:n]) \
    present(kx[0:samples], ky[0:samples], kz[0:samples], phi[0:samples])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        vec here = {x[i], y[i], z[i]};
        qr[i] = qi[i] = 0;
        for (size_t k = 0; k < samples; k++) {
            vec wave = {kx[k], ky[k], kz[k]};
            float angle = 6.2831853f * DOT(wave, here);
            qr[i] += phi[k] * cosf(angle);
            qi[i] += phi[k] * sinf(angle);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VOXELS >> args.shift, m = SAMPLES >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), *qr = NEW(float, n), *qi = NEW(float, n);
    float *kx = NEW(float, m), *ky = NEW(float, m), *kz = NEW(float, m), *phi = NEW(float, m);
    double sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = (float)number(3 * i), y[i] = (float)number(3 * i + 1), z[i] = (float)number(3 * i + 2);
    for (int k = 0; k < m; k++)
        kx[k] = (float)number(4 * k), ky[k] = (float)number(4 * k + 1), kz[k] = (float)number(4 * k + 2), phi[k] = 1;
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], kx[0:m], ky[0:m], kz[0:m], phi[0:m]) create(qr[0:n], qi[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        transform(n, m, x, y, z, kx, ky, kz, phi, qr, qi);
#pragma acc update self(qr[0:n], qi[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(qr[i]) + fabs(qi[i]);
    report("mriq", t.best, sum);
    return 0;
}
