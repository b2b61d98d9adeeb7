// A search for a planet in 128 velocities of a star, double: for each of 512 periods, 16 shapes and 16 phases
// the equation of Kepler is solved by Newton at each time, then amplitude, orientation and drift by least squares.
#include "../kernels.h"

enum { PERIODS = 512, SHAPES = 16, PHASES = 16, TIMES = 128 };

#define TURN 6.283185307179586
#define PERIOD(p, periods) (3 + 40 * ((p) + 0.5) / (periods))
#define SHAPE(e) (0.9 * (e) / SHAPES)

#if SPELLING == 1
static double search(int periods, const double *restrict time, const double *restrict speed, double *restrict chi)
{
    double best = 1e30;
#pragma acc parallel loop collapse(3) reduction(min : best) present(time[0:TIMES], speed[0:TIMES]) \
    present(chi[0:periods * SHAPES * PHASES])
#pragma omp parallel for collapse(3) reduction(min : best)
    for (int p = 0; p < periods; p++)
        for (int s = 0; s < SHAPES; s++)
            for (int h = 0; h < PHASES; h++) {
                double e = SHAPE(s), root = sqrt(1 - e * e), x = 0, y = 0, xx = 0, xy = 0, yy = 0;
                double v = 0, vx = 0, vy = 0, vv = 0;
                for (int k = 0; k < TIMES; k++) {
                    double turns = time[k] / PERIOD(p, periods) + (double)h / PHASES;
                    double m = TURN * (turns - floor(turns)), a = m < TURN / 2 ? m + 0.85 * e : m - 0.85 * e;
                    double change = 1;
                    for (int step = 0; step < 30 && fabs(change) > 1e-11; step++) {
                        change = (a - e * sin(a) - m) / (1 - e * cos(a));
                        a -= change;
                    }
                    double c = cos(a), r = 1 - e * c, cx = (c - e) / r, cy = root * sin(a) / r, w = speed[k];
                    x += cx;
                    y += cy;
                    xx += cx * cx;
                    xy += cx * cy;
                    yy += cy * cy;
                    v += w;
                    vx += w * cx;
                    vy += w * cy;
                    vv += w * w;
                }
                xx -= x * x / TIMES;
                xy -= x * y / TIMES;
                yy -= y * y / TIMES;
                vx -= v * x / TIMES;
                vy -= v * y / TIMES;
                double a = (vx * yy - vy * xy) / (xx * yy - xy * xy), b = (vy * xx - vx * xy) / (xx * yy - xy * xy);
                double left = vv - v * v / TIMES - a * vx - b * vy;
                chi[(p * SHAPES + s) * PHASES + h] = left;
                best = fmin(best, left);
            }
    return best;
}
#else
struct place { double x, y; };

#pragma acc routine seq
static struct place orbit(double m, double e)
{
    double a = m + (m < TURN / 2 ? 0.85 : -0.85) * e;
    int steps = 0;
    while (steps++ < 30) {
        double change = (m - a + e * sin(a)) / (1 - e * cos(a));
        a += change;
        if (fabs(change) <= 1e-11)
            break;
    }
    double r = 1 - e * cos(a);
    return (struct place){(cos(a) - e) / r, sqrt(1 - e * e) * sin(a) / r};
}

static double search(long periods, double *time, double *speed, double *out)
{
    double best = 1e30, (*chi)[SHAPES][PHASES] = (double(*)[SHAPES][PHASES])out;
#pragma acc parallel loop gang reduction(min : best) present(time[0:TIMES], speed[0:TIMES], chi[0:periods])
#pragma omp parallel for reduction(min : best)
    for (long p = 0; p < periods; ++p) {
#pragma acc loop vector collapse(2) reduction(min : best)
        for (unsigned s = 0; s < SHAPES; ++s)
            for (unsigned h = 0; h < PHASES; ++h) {
                double mean[3] = {0, 0, 0}, square[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
                for (const double *t = time, *v = speed; t != time + TIMES; ++t, ++v) {
                    double turns = *t / PERIOD(p, periods) + (double)h / PHASES;
                    struct place at = orbit(TURN * (turns - floor(turns)), SHAPE(s));
                    const double q[3] = {at.x, at.y, *v};
                    for (int i = 0; i < 3; ++i) {
                        mean[i] += q[i] / TIMES;
                        for (int j = 0; j <= i; ++j)
                            square[i][j] += q[i] * q[j];
                    }
                }
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j <= i; ++j)
                        square[i][j] -= mean[i] * mean[j] * TIMES;
                double factor = square[1][0] / square[0][0], second = square[1][1] - factor * square[1][0];
                double rest = square[2][1] - factor * square[2][0];
                chi[p][s][h] = square[2][2] - square[2][0] * square[2][0] / square[0][0] - rest * rest / second;
                if (chi[p][s][h] < best)
                    best = chi[p][s][h];
            }
    }
    return best;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int periods = PERIODS >> args.shift, n = periods * SHAPES * PHASES;
    double *time = NEW(double, TIMES), *speed = NEW(double, TIMES), *chi = NEW(double, n), best = 0, sum = 0;
    for (int k = 0; k < TIMES; k++) {
        time[k] = k + 0.8 * number(k);
        double turn = TURN * time[k] / 17.3;
        speed[k] = 30 * sin(turn) + 9 * cos(2 * turn) + 4 * sin(3 * turn) + 5 * number(k + 1000);
    }
#pragma acc enter data copyin(time[0:TIMES], speed[0:TIMES]) create(chi[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        best = search(periods, time, speed, chi);
#pragma acc update self(chi[0:n])
    SUM(sum, chi, n);
    report("kepler", t.best, sum / n + best);
    return 0;
}
