// Diffusion that takes speckle out of an image, float, 2048 × 2048: mean and variance of the image, coefficients, update.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void diffuse(int rows, int columns, float *restrict image, float *restrict c, float *restrict dn,
                    float *restrict ds, float *restrict dw, float *restrict de)
{
    const float lambda = 0.5f;
    int all = rows * columns;
    double sum = 0, sum2 = 0;
#pragma acc data present(image[0:all], c[0:all], dn[0:all], ds[0:all], dw[0:all], de[0:all])
    {
#pragma acc parallel loop reduction(+ : sum, sum2)
#pragma omp parallel for simd reduction(+ : sum, sum2)
        for (int k = 0; k < all; k++) {
            sum += image[k];
            sum2 += image[k] * image[k];
        }
        double mean = sum / all, variance = sum2 / all - mean * mean;
        float q0 = (float)(variance / (mean * mean));
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int k = i * columns + j;
                float here = image[k];
                dn[k] = image[i == 0 ? k : k - columns] - here;
                ds[k] = image[i == rows - 1 ? k : k + columns] - here;
                dw[k] = image[j == 0 ? k : k - 1] - here;
                de[k] = image[j == columns - 1 ? k : k + 1] - here;
                float g2 = (dn[k] * dn[k] + ds[k] * ds[k] + dw[k] * dw[k] + de[k] * de[k]) / (here * here);
                float l = (dn[k] + ds[k] + dw[k] + de[k]) / here;
                float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l;
                float q = num / (den * den);
                den = (q - q0) / (q0 * (1 + q0));
                float value = 1.0f / (1.0f + den);
                c[k] = value < 0 ? 0 : value > 1 ? 1 : value;
            }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int k = i * columns + j;
                float cn = c[k], cs = c[i == rows - 1 ? k : k + columns];
                float cw = c[k], ce = c[j == columns - 1 ? k : k + 1];
                float d = cn * dn[k] + cs * ds[k] + cw * dw[k] + ce * de[k];
                image[k] = image[k] + 0.25f * lambda * d;
            }
    }
}
#else
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(a) ((a) * (a))
#define LAMBDA 0.5f

#pragma acc routine seq
static inline float coefficient(float g2, float l, float q0)
{
    float q = (0.5f * g2 - 0.0625f * SQUARE(l)) / SQUARE(1.f + 0.25f * l);
    float value = 1.f / (1.f + (q - q0) / (q0 * (1.f + q0)));
    return MIN(MAX(value, 0.f), 1.f);
}

static void diffuse(long rows, long columns, float *image, float *fc, float *north, float *south, float *west, float *east)
{
    typedef float row[columns];
    row *J = (row *)image, *c = (row *)fc, *dN = (row *)north, *dS = (row *)south, *dW = (row *)west, *dE = (row *)east;
    double sum = 0, sum2 = 0, size = (double)rows * columns;
#pragma acc kernels loop independent collapse(2) reduction(+ : sum) reduction(+ : sum2) present(J[0:rows][0:columns])
#pragma omp parallel for reduction(+ : sum, sum2)
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) {
            float v = J[i][j];
            sum += v;
            sum2 += SQUARE(v);
        }
    double mean = sum / size;
    float q0 = (float)((sum2 / size - SQUARE(mean)) / SQUARE(mean));
#pragma acc kernels present(J[0:rows][0:columns], c[0:rows][0:columns], dN[0:rows][0:columns], dS[0:rows][0:columns],  \
                                dW[0:rows][0:columns], dE[0:rows][0:columns])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < rows; i++)
#pragma acc loop independent
            for (long j = 0; j < columns; j++) {
                float Jc = J[i][j];
                dN[i][j] = J[MAX(i - 1, 0)][j] - Jc;
                dS[i][j] = J[MIN(i + 1, rows - 1)][j] - Jc;
                dW[i][j] = J[i][MAX(j - 1, 0)] - Jc;
                dE[i][j] = J[i][MIN(j + 1, columns - 1)] - Jc;
                float G2 = (SQUARE(dN[i][j]) + SQUARE(dS[i][j]) + SQUARE(dW[i][j]) + SQUARE(dE[i][j])) / SQUARE(Jc);
                c[i][j] = coefficient(G2, (dN[i][j] + dS[i][j] + dW[i][j] + dE[i][j]) / Jc, q0);
            }
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < rows; i++)
#pragma acc loop independent
            for (long j = 0; j < columns; j++) {
                float D = c[i][j] * (dN[i][j] + dW[i][j]) + c[MIN(i + 1, rows - 1)][j] * dS[i][j] +
                          c[i][MIN(j + 1, columns - 1)] * dE[i][j];
                J[i][j] += 0.25f * LAMBDA * D;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    float *image = NEW(float, all), *c = NEW(float, all);
    float *dn = NEW(float, all), *ds = NEW(float, all), *dw = NEW(float, all), *de = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < all; k++)
        image[k] = (float)exp(number(k));
#pragma acc enter data copyin(image[0:all]) create(c[0:all], dn[0:all], ds[0:all], dw[0:all], de[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        diffuse(n, n, image, c, dn, ds, dw, de);
#pragma acc update self(image[0:all])
    for (int k = 0; k < all; k++)
        sum += image[k] * (1 + k % 7);
    report("srad", t.best, sum);
    return 0;
}
