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
#elif SPELLING == 3
static int iN[N], iS[N], jW[N], jE[N];
#pragma acc declare create(iN, iS, jW, jE)
static void diffuse(int rows, int cols, float *J, float *c, float *dN, float *dS, float *dW, float *dE)
{
    int size_I = rows * cols;
    float lambda = 0.5f;
    double sum = 0, sum2 = 0;
#pragma acc data present(J[0:size_I], c[0:size_I], dN[0:size_I], dS[0:size_I], dW[0:size_I], dE[0:size_I])
    {
#pragma acc parallel loop
        for (int i = 0; i < rows; i++) {
            iN[i] = i == 0 ? 0 : i - 1;
            iS[i] = i == rows - 1 ? rows - 1 : i + 1;
        }
#pragma acc parallel loop
        for (int j = 0; j < cols; j++) {
            jW[j] = j == 0 ? 0 : j - 1;
            jE[j] = j == cols - 1 ? cols - 1 : j + 1;
        }
#pragma acc parallel loop collapse(2) reduction(+ : sum, sum2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                float tmp = J[i * cols + j];
                sum += tmp;
                sum2 += tmp * tmp;
            }
        double meanROI = sum / size_I, varROI = sum2 / size_I - meanROI * meanROI;
        float q0sqr = (float)(varROI / (meanROI * meanROI));
#pragma acc parallel loop gang
        for (int i = 0; i < rows; i++) {
#pragma acc loop vector
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                float Jc = J[k];
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;
                float G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                float L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                float num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
                float den = 1 + (.25f * L);
                float qsqr = num / (den * den);
                den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0)
                    c[k] = 0;
                else if (c[k] > 1)
                    c[k] = 1;
            }
        }
#pragma acc parallel loop gang
        for (int i = 0; i < rows; i++) {
#pragma acc loop vector
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                float cN = c[k], cS = c[iS[i] * cols + j], cW = c[k], cE = c[i * cols + jE[j]];
                float D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
        }
    }
}
#elif SPELLING == 4
#define SQR(x) ((x) * (x))
static void diffuse(unsigned rows, unsigned cols, float *restrict img, float *restrict c, float *restrict dn, float *restrict ds,
                    float *restrict dw, float *restrict de)
{
    const unsigned total = rows * cols;
    double s1 = 0, s2 = 0;
#pragma acc parallel loop reduction(+ : s1) reduction(+ : s2) default(present)
    for (unsigned k = 0; k < total; k++) {
        s1 += img[k];
        s2 += SQR(img[k]);
    }
    const double mean = s1 / total;
    const float q0 = (float)((s2 / total - SQR(mean)) / SQR(mean));
#pragma acc parallel loop default(present)
    for (unsigned k = 0; k < total; k++) {
        const unsigned y = k / cols, x = k % cols;
        const float v = img[k];
        const float n = y > 0 ? img[k - cols] - v : 0, s = y + 1 < rows ? img[k + cols] - v : 0;
        const float w = x > 0 ? img[k - 1] - v : 0, e = x + 1 < cols ? img[k + 1] - v : 0;
        const float g2 = (SQR(n) + SQR(s) + SQR(w) + SQR(e)) / SQR(v), l = (n + s + w + e) / v;
        const float q = (0.5f * g2 - 0.0625f * SQR(l)) / SQR(1 + 0.25f * l);
        dn[k] = n, ds[k] = s, dw[k] = w, de[k] = e;
        c[k] = fminf(1.0f, fmaxf(0.0f, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
    }
#pragma acc parallel loop default(present)
    for (unsigned k = 0; k < total; k++) {
        const unsigned y = k / cols, x = k % cols;
        const float here = c[k], south = y + 1 < rows ? c[k + cols] : here, east = x + 1 < cols ? c[k + 1] : here;
        img[k] += 0.125f * (here * (dn[k] + dw[k]) + south * ds[k] + east * de[k]);
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
