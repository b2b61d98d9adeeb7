// A bootstrap of a correlation: 2^14 samples with replacement from 2048 pairs of doubles, the coefficient of each, then mean and variance of all
// coefficients and the part of them above zero. Which pair comes when is a hash of sample and draw.
#include "../kernels.h"

enum { SAMPLES = 1 << 14, PAIRS = 2048 };

struct answer { double mean, variance, positive; };

#if SPELLING == 1
static struct answer bootstrap(int n, int m, const double *restrict x, const double *restrict y, double *restrict r)
{
    double mean = 0, variance = 0;
    int positive = 0;
#pragma acc data present(x[0:m], y[0:m], r[0:n])
    {
#pragma acc parallel loop gang vector_length(128)
#pragma omp parallel for
        for (int s = 0; s < n; s++) {
            double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
#pragma acc loop vector reduction(+ : sx, sy, sxx, syy, sxy)
            for (int k = 0; k < m; k++) {
                int at = mix(s * m + k) % m;
                sx += x[at];
                sy += y[at];
                sxx += x[at] * x[at];
                syy += y[at] * y[at];
                sxy += x[at] * y[at];
            }
            r[s] = (m * sxy - sx * sy) / sqrt((m * sxx - sx * sx) * (m * syy - sy * sy));
        }
#pragma acc parallel loop reduction(+ : mean, positive)
        for (int s = 0; s < n; s++) {
            mean += r[s];
            positive += r[s] > 0;
        }
        mean /= n;
#pragma acc parallel loop reduction(+ : variance)
        for (int s = 0; s < n; s++)
            variance += (r[s] - mean) * (r[s] - mean);
    }
    return (struct answer){mean, variance / (n - 1), (double)positive / n};
}
#else
struct pair { double x, y; };
struct moments { double x, y, xx, yy, xy; };

#pragma acc routine seq
static void add(struct moments *m, struct pair p)
{
    m->x += p.x;
    m->y += p.y;
    m->xx += p.x * p.x;
    m->yy += p.y * p.y;
    m->xy += p.x * p.y;
}

#pragma acc routine seq
static double correlation(const struct moments *s, double count)
{
    const double xy = s->xy - s->x * s->y / count, xx = s->xx - s->x * s->x / count, yy = s->yy - s->y * s->y / count;
    return xy / sqrt(xx * yy);
}

// A thread a sample.
static struct answer bootstrap(unsigned n, unsigned m, struct pair *pairs, double *r)
{
    struct answer all = {0, 0, 0};
    double sum = 0, squares = 0;
    unsigned positive = 0;
#pragma acc parallel loop gang vector vector_length(64) present(pairs[0:m], r[0:n]) reduction(+ : sum, positive)
#pragma omp parallel for reduction(+ : sum, positive)
    for (unsigned s = 0; s < n; ++s) {
        struct moments total = {0, 0, 0, 0, 0};
        unsigned draw = s * m;
        const unsigned last = draw + m;
        do
            add(&total, pairs[mix(draw) % m]);
        while (++draw != last);
        r[s] = correlation(&total, m);
        sum += r[s];
        positive += r[s] > 0 ? 1 : 0;
    }
    all.mean = sum / n;
#pragma acc kernels present(r[0:n])
#pragma acc loop reduction(+ : squares)
    for (unsigned s = 0; s < n; ++s)
        squares += pow(r[s] - all.mean, 2);
    all.variance = squares / (n - 1);
    all.positive = positive / (double)n;
    return all;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, m = PAIRS;
    double *x = NEW(double, m), *y = NEW(double, m), *r = NEW(double, n), sum = 0;
    struct answer a = {0, 0, 0};
    for (int k = 0; k < m; k++) {
        x[k] = number(2 * k);
        y[k] = number(2 * k + 1) + 0.05 * x[k];
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:m], y[0:m]) create(r[0:n])
    while (lap(&t))
        a = bootstrap(n, m, x, y, r);
#else
    struct pair *pairs = NEW(struct pair, m);
    for (int k = 0; k < m; k++)
        pairs[k] = (struct pair){x[k], y[k]};
#pragma acc enter data copyin(pairs[0:m]) create(r[0:n])
    while (lap(&t))
        a = bootstrap(n, m, pairs, r);
#endif
#pragma acc update self(r[0:n])
    for (int s = 0; s < n; s++)
        sum += fabs(r[s]) * (1 + s % 3);
    report("bootstrap", t.best, sum + 100 * a.mean + 1e5 * a.variance + 10 * a.positive);
    return 0;
}
