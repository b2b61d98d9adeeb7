// A picture of 512 x 512 points by a radar with a synthetic aperture: for each point and each of 256 pulses the distance, the echo between two of
// 1024 samples (float complex), and its phase turned back; double for distances, phases and sums.
#include "../kernels.h"
#include <complex.h>

enum { PULSES = 256, SAMPLES = 1024, SIDE = 512 };

#define WAVE 0.03125
#define NEAR 6900.0
#define STEP 0.5
#define PIXEL 0.4

#if SPELLING == 1
static void focus(int rows, const double *restrict px, const double *restrict py, const double *restrict pz,
                  const float *restrict re, const float *restrict im, double *restrict outre, double *restrict outim)
{
#pragma acc parallel loop gang vector collapse(2) present(px[0:PULSES], py[0:PULSES], pz[0:PULSES]) \
    present(re[0:PULSES * SAMPLES], im[0:PULSES * SAMPLES], outre[0:rows * SIDE], outim[0:rows * SIDE])
#pragma omp parallel for
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = PIXEL * (i - SIDE / 2), y = PIXEL * (j - SIDE / 2), sumre = 0, sumim = 0;
            for (int p = 0; p < PULSES; p++) {
                double dx = px[p] - x, dy = py[p] - y, range = sqrt(dx * dx + dy * dy + pz[p] * pz[p]);
                double place = (range - NEAR) / STEP;
                int s = (int)place;
                if (place < 0 || s >= SAMPLES - 1)
                    continue;
                double part = place - s, turns = 2 * range / WAVE, angle = 2 * M_PI * (turns - floor(turns));
                double a = (1 - part) * re[p * SAMPLES + s] + part * re[p * SAMPLES + s + 1];
                double b = (1 - part) * im[p * SAMPLES + s] + part * im[p * SAMPLES + s + 1];
                double c = cos(angle), d = sin(angle);
                sumre += a * c - b * d;
                sumim += a * d + b * c;
            }
            outre[j * SIDE + i] = sumre;
            outim[j * SIDE + i] = sumim;
        }
}
#else
struct place { double x, y, z; };

#pragma acc routine seq
static double between(struct place a, struct place b)
{
    a.x -= b.x;
    a.y -= b.y;
    a.z -= b.z;
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void focus(size_t rows, const struct place *antenna, const float complex (*echo)[SAMPLES], double complex (*out)[SIDE])
{
#pragma acc kernels present(antenna[0:PULSES], echo[0:PULSES], out[0:rows])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (size_t j = 0; j < rows; ++j) {
#pragma acc loop independent vector(128)
            for (size_t i = 0; i < SIDE; ++i) {
                const struct place here = {PIXEL * ((double)i - SIDE / 2), PIXEL * ((double)j - SIDE / 2), 0};
                double complex sum = 0;
#pragma acc loop seq
                for (size_t p = 0; p < PULSES; ++p) {
                    const double range = between(antenna[p], here), at = (range - NEAR) * (1 / STEP), whole = floor(at);
                    if (whole >= 0 && whole < SAMPLES - 1) {
                        const float complex *e = &echo[p][(size_t)whole];
                        const double turns = range * (2 / WAVE);
                        sum += (e[0] + (at - whole) * (e[1] - e[0])) * cexp(2 * M_PI * I * (turns - floor(turns)));
                    }
                }
                out[j][i] = sum;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE;
    double px[PULSES], py[PULSES], pz[PULSES], sum = 0;
    float *re = NEW(float, PULSES * SAMPLES), *im = NEW(float, PULSES * SAMPLES);
    for (int p = 0; p < PULSES; p++) {
        double angle = 0.04 * (p - PULSES / 2) / PULSES;
        px[p] = 5000 * sin(angle) + 0.3 * number(p);
        py[p] = -5000 * cos(angle) + 0.3 * number(p + 1);
        pz[p] = 5000 + 0.5 * number(p + 2);
        for (int s = 0; s < SAMPLES; s++) {
            re[p * SAMPLES + s] = 0.2f * (float)(number(2 * (p * SAMPLES + s)) - 0.5);
            im[p * SAMPLES + s] = 0.2f * (float)(number(2 * (p * SAMPLES + s) + 1) - 0.5);
        }
        // eight bright things
        for (int b = 0; b < 8; b++) {
            double dx = px[p] - 80 * (number(b) - 0.5), dy = py[p] - 80 * (number(b + 20) - 0.5);
            double range = sqrt(dx * dx + dy * dy + pz[p] * pz[p]);
            for (int s = (int)((range - NEAR) / STEP) - 2; s < (range - NEAR) / STEP + 3; s++)
                if (s >= 0 && s < SAMPLES) {
                    double f = fmax(0, 1 - 0.5 * fabs(s - (range - NEAR) / STEP)), angle = -2 * M_PI * fmod(2 * range / WAVE, 1);
                    re[p * SAMPLES + s] += f * cos(angle);
                    im[p * SAMPLES + s] += f * sin(angle);
                }
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *outre = NEW(double, n), *outim = NEW(double, n);
#pragma acc enter data copyin(px, py, pz, re[0:PULSES * SAMPLES], im[0:PULSES * SAMPLES]) create(outre[0:n], outim[0:n])
    while (lap(&t))
        focus(rows, px, py, pz, re, im, outre, outim);
#pragma acc update self(outre[0:n], outim[0:n])
    for (int k = 0; k < n; k++)
        sum += hypot(outre[k], outim[k]) * (1 + k % 3);
#else
    struct place antenna[PULSES];
    float complex(*echo)[SAMPLES] = (float complex(*)[SAMPLES])NEW(float complex, PULSES * SAMPLES);
    double complex(*out)[SIDE] = (double complex(*)[SIDE])NEW(double complex, n);
    for (int p = 0; p < PULSES; p++) {
        antenna[p] = (struct place){px[p], py[p], pz[p]};
        for (int s = 0; s < SAMPLES; s++)
            echo[p][s] = re[p * SAMPLES + s] + I * im[p * SAMPLES + s];
    }
#pragma acc enter data copyin(antenna, echo[0:PULSES]) create(out[0:rows])
    while (lap(&t))
        focus(rows, antenna, (const float complex(*)[SAMPLES])echo, out);
#pragma acc update self(out[0:rows])
    for (int k = 0; k < n; k++)
        sum += cabs(out[k / SIDE][k % SIDE]) * (1 + k % 3);
#endif
    report("aperture", t.best, sum);
    return 0;
}
