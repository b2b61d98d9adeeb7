// Where white blood cells may be in a picture of 640 x 480, float: for each point and each of 7 radii the gradient along the normals at 150
// points of a circle; the largest square of its mean beside its variance.
#include "../kernels.h"

enum { WIDTH = 640, HEIGHT = 480, CIRCLES = 7, POINTS = 150, LEAST = 10, STEP = 2, MARGIN = LEAST + STEP * CIRCLES + 2 };

#if SPELLING == 1
static void gicov(int width, int height, const float *restrict gx, const float *restrict gy, const float *restrict sines,
                  const float *restrict cosines, const int *restrict tx, const int *restrict ty, float *restrict score)
{
#pragma acc parallel loop collapse(2) present(gx[0:width * height], gy[0:width * height], sines[0:POINTS], cosines[0:POINTS]) \
    present(tx[0:CIRCLES * POINTS], ty[0:CIRCLES * POINTS], score[0:width * height])
#pragma omp parallel for
    for (int y = MARGIN; y < height - MARGIN; y++)
        for (int x = MARGIN; x < width - MARGIN; x++) {
            float most = 0;
            for (int k = 0; k < CIRCLES; k++) {
                float gradient[POINTS], sum = 0, variance = 0;
                for (int n = 0; n < POINTS; n++) {
                    int at = (y + ty[k * POINTS + n]) * width + x + tx[k * POINTS + n];
                    gradient[n] = gx[at] * cosines[n] + gy[at] * sines[n];
                    sum += gradient[n];
                }
                float mean = sum / POINTS;
                for (int n = 0; n < POINTS; n++)
                    variance += (gradient[n] - mean) * (gradient[n] - mean);
                variance /= POINTS - 1;
                if (mean * mean / variance > most)
                    most = mean * mean / variance;
            }
            score[y * width + x] = most;
        }
}
#else
struct offset { short x, y; };
typedef struct offset circle[POINTS];

static void gicov(unsigned width, unsigned height, float *pgx, float *pgy, float *sines, float *cosines, circle *circles, float *pscore)
{
    float(*gx)[width] = (void *)pgx, (*gy)[width] = (void *)pgy, (*score)[width] = (void *)pscore;
#pragma acc kernels present(gx[0:height], gy[0:height], sines[0:POINTS], cosines[0:POINTS], circles[0:CIRCLES], score[0:height])
#pragma acc loop independent
#pragma omp parallel for
    for (unsigned y = MARGIN; y < height - MARGIN; ++y)
#pragma acc loop independent
        for (unsigned x = MARGIN; x < width - MARGIN; ++x) {
            float most = 0.f;
            for (unsigned k = 0; k < CIRCLES; ++k) {
                float gradient[POINTS], mean = 0.f, deviation = 0.f;
                for (unsigned n = 0; n < POINTS; ++n) {
                    struct offset o = circles[k][n];
                    gradient[n] = gx[y + o.y][x + o.x] * cosines[n] + gy[y + o.y][x + o.x] * sines[n];
                    mean += gradient[n];
                }
                mean *= 1.f / POINTS;
                for (unsigned n = 0; n < POINTS; ++n) {
                    float d = gradient[n] - mean;
                    deviation += d * d;
                }
                most = fmaxf(most, mean * mean / (deviation / (POINTS - 1)));
            }
            score[y][x] = most;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int width = WIDTH >> args.shift / 3, height = HEIGHT >> args.shift / 3, all = width * height, tx[CIRCLES * POINTS], ty[CIRCLES * POINTS];
    float *gx = NEW(float, all), *gy = NEW(float, all), *score = (float *)calloc(all, sizeof(float)), sines[POINTS], cosines[POINTS];
    double sum = 0;
    for (int n = 0; n < POINTS; n++) {
        double angle = 2 * M_PI * n / POINTS;
        sines[n] = sin(angle);
        cosines[n] = cos(angle);
        for (int k = 0; k < CIRCLES; k++) {
            tx[k * POINTS + n] = (int)((LEAST + STEP * k) * cos(angle) + 50.5) - 50;
            ty[k * POINTS + n] = (int)((LEAST + STEP * k) * sin(angle) + 50.5) - 50;
        }
    }
    for (int k = 0; k < all; k++) {
        gx[k] = number(k) - 0.5f;
        gy[k] = number(k + 1) - 0.5f;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(gx[0:all], gy[0:all], sines, cosines, tx, ty, score[0:all])
    while (lap(&t))
        gicov(width, height, gx, gy, sines, cosines, tx, ty, score);
#else
    circle *circles = NEW(circle, CIRCLES);
    for (int k = 0; k < CIRCLES * POINTS; k++)
        circles[k / POINTS][k % POINTS] = (struct offset){tx[k], ty[k]};
#pragma acc enter data copyin(gx[0:all], gy[0:all], sines, cosines, circles[0:CIRCLES], score[0:all])
    while (lap(&t))
        gicov(width, height, gx, gy, sines, cosines, circles, score);
#endif
#pragma acc update self(score[0:all])
    SUM(sum, score, all);
    report("gicov", t.best, sum);
    return 0;
}
