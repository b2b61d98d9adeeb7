// Chemistry of the stratosphere in 2^16 cells, double: five species and ten reactions for a quarter of an hour by a Rosenbrock method of second
// order with steps as long as the error allows, each of which factors the matrix of 5 x 5 once and solves for two stages.
#include "../kernels.h"

enum { CELLS = 1 << 16, SPECIES = 5, REACTIONS = 10, MOST = 1000 };

#define TIME 900.0
#define OXYGEN 1.697e16
#define AIR 8.120e16
#define GAMMA 1.7071067811865475
#define RELATIVE 1e-2
#define ABSOLUTE 1e3

// Excited and plain atoms of oxygen, ozone, nitrogen monoxide and dioxide.
static const double usual[SPECIES] = {9.906e1, 6.624e8, 5.326e11, 8.725e8, 2.240e8};

#if SPELLING == 1
static inline void constants(double sun, double temperature, double *k)
{
    k[0] = 2.643e-10 * sun * sun * sun;
    k[1] = 8.018e-17 * pow(300 / temperature, 2.3);
    k[2] = 6.120e-4 * sun;
    k[3] = 8.0e-12 * exp(-2060 / temperature);
    k[4] = 1.070e-3 * sun * sun;
    k[5] = 7.110e-11;
    k[6] = 1.200e-10;
    k[7] = 2.2e-12 * exp(-1430 / temperature);
    k[8] = 1.069e-11;
    k[9] = 1.289e-2 * sun;
}

static inline void change(const double *k, const double *y, double *f)
{
    double r[REACTIONS] = {k[0] * OXYGEN,      k[1] * y[1] * OXYGEN, k[2] * y[2],        k[3] * y[1] * y[2], k[4] * y[2],
                           k[5] * y[0] * AIR, k[6] * y[0] * y[2],   k[7] * y[3] * y[2], k[8] * y[4] * y[1], k[9] * y[4]};
    f[0] = r[4] - r[5] - r[6];
    f[1] = 2 * r[0] - r[1] + r[2] - r[3] + r[5] - r[8] + r[9];
    f[2] = r[1] - r[2] - r[3] - r[4] - r[6] - r[7];
    f[3] = -r[7] + r[8] + r[9];
    f[4] = r[7] - r[8] - r[9];
}

static inline void factors(const double *k, const double *y, double h, double a[SPECIES][SPECIES])
{
    double j[SPECIES][SPECIES] = {
        {-k[5] * AIR - k[6] * y[2], 0, k[4] - k[6] * y[0], 0, 0},
        {k[5] * AIR, -k[1] * OXYGEN - k[3] * y[2] - k[8] * y[4], k[2] - k[3] * y[1], 0, k[9] - k[8] * y[1]},
        {-k[6] * y[2], k[1] * OXYGEN - k[3] * y[2], -k[2] - k[3] * y[1] - k[4] - k[6] * y[0] - k[7] * y[3], -k[7] * y[2], 0},
        {0, k[8] * y[4], -k[7] * y[3], -k[7] * y[2], k[8] * y[1] + k[9]},
        {0, -k[8] * y[4], k[7] * y[3], k[7] * y[2], -k[8] * y[1] - k[9]},
    };
    for (int r = 0; r < SPECIES; r++)
        for (int c = 0; c < SPECIES; c++)
            a[r][c] = (r == c) - GAMMA * h * j[r][c];
    for (int p = 0; p < SPECIES; p++)
        for (int r = p + 1; r < SPECIES; r++) {
            a[r][p] /= a[p][p];
            for (int c = p + 1; c < SPECIES; c++)
                a[r][c] -= a[r][p] * a[p][c];
        }
}

static inline void solve(double a[SPECIES][SPECIES], double *x)
{
    for (int r = 1; r < SPECIES; r++)
        for (int c = 0; c < r; c++)
            x[r] -= a[r][c] * x[c];
    for (int r = SPECIES - 1; r >= 0; r--) {
        for (int c = r + 1; c < SPECIES; c++)
            x[r] -= a[r][c] * x[c];
        x[r] /= a[r][r];
    }
}

static void integrate(int n, const double *restrict sun, const double *restrict temperature, const double *restrict before, double *restrict after)
{
#pragma acc parallel loop vector_length(128) present(sun[0:n], temperature[0:n], before[0:SPECIES * n], after[0:SPECIES * n])
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < n; i++) {
        double k[REACTIONS], y[SPECIES], t = 0, h = 0.1;
        constants(sun[i], temperature[i], k);
        for (int s = 0; s < SPECIES; s++)
            y[s] = before[s * n + i];
        for (int step = 0; step < MOST && t < TIME; step++) {
            double a[SPECIES][SPECIES], one[SPECIES], two[SPECIES], middle[SPECIES], error = 0;
            h = fmin(h, TIME - t);
            factors(k, y, h, a);
            change(k, y, one);
            solve(a, one);
            for (int s = 0; s < SPECIES; s++)
                middle[s] = y[s] + h * one[s];
            change(k, middle, two);
            for (int s = 0; s < SPECIES; s++)
                two[s] -= 2 * one[s];
            solve(a, two);
            for (int s = 0; s < SPECIES; s++) {
                double e = 0.5 * h * (one[s] + two[s]) / (ABSOLUTE + RELATIVE * fabs(y[s]));
                error += e * e;
            }
            error = sqrt(error / SPECIES);
            if (error <= 1) {
                for (int s = 0; s < SPECIES; s++)
                    y[s] += h * (1.5 * one[s] + 0.5 * two[s]);
                t += h;
            }
            h *= fmin(5, fmax(0.2, 0.9 / sqrt(error + 1e-10)));
        }
        for (int s = 0; s < SPECIES; s++)
            after[s * n + i] = y[s];
    }
}
#else
struct cell { double o1d, o, o3, no, no2; };
struct weather { double sun, temperature; };

#define K1 (2.643e-10 * pow(sun, 3))
#define K2 (8.018e-17 * pow(300.0 / temperature, 2.3))
#define K3 (6.120e-4 * sun)
#define K4 (8.0e-12 * exp(-2060.0 / temperature))
#define K5 (1.070e-3 * sun * sun)
#define K6 7.110e-11
#define K7 1.200e-10
#define K8 (2.2e-12 * exp(-1430.0 / temperature))
#define K9 1.069e-11
#define K10 (1.289e-2 * sun)

struct rates { double k1, k2, k3, k4, k5, k8, k10; };

#pragma acc routine seq
static struct cell change(const struct rates *k, const struct cell *y)
{
    const double r2 = k->k2 * OXYGEN * y->o, r3 = k->k3 * y->o3, r4 = k->k4 * y->o * y->o3, r5 = k->k5 * y->o3, r6 = K6 * AIR * y->o1d;
    const double r7 = K7 * y->o1d * y->o3, r8 = k->k8 * y->no * y->o3, r9 = K9 * y->no2 * y->o, r10 = k->k10 * y->no2;
    struct cell f;
    f.o1d = r5 - r6 - r7;
    f.o = 2.0 * OXYGEN * k->k1 - r2 + r3 - r4 + r6 - r9 + r10;
    f.o3 = r2 - r3 - r4 - r5 - r7 - r8;
    f.no = r9 + r10 - r8;
    f.no2 = r8 - r9 - r10;
    return f;
}

#pragma acc routine seq
static void prepare(double *a, const struct rates *k, const struct cell *y, double gh)
{
    for (int e = 0; e < SPECIES * SPECIES; ++e)
        a[e] = 0.0;
    a[0] = 1.0 + gh * (K6 * AIR + K7 * y->o3);
    a[2] = gh * (K7 * y->o1d - k->k5);
    a[5] = -gh * K6 * AIR;
    a[6] = 1.0 + gh * (k->k2 * OXYGEN + k->k4 * y->o3 + K9 * y->no2);
    a[7] = gh * (k->k4 * y->o - k->k3);
    a[9] = gh * (K9 * y->o - k->k10);
    a[10] = gh * K7 * y->o3;
    a[11] = gh * (k->k4 * y->o3 - k->k2 * OXYGEN);
    a[12] = 1.0 + gh * (k->k3 + k->k4 * y->o + k->k5 + K7 * y->o1d + k->k8 * y->no);
    a[13] = gh * k->k8 * y->o3;
    a[16] = -gh * K9 * y->no2;
    a[17] = gh * k->k8 * y->no;
    a[18] = 1.0 + gh * k->k8 * y->o3;
    a[19] = -gh * (K9 * y->o + k->k10);
    a[21] = -a[16];
    a[22] = -a[17];
    a[23] = -gh * k->k8 * y->o3;
    a[24] = 1.0 - a[19];
    for (int p = 0; p < SPECIES; ++p) {
        const double inverse = 1.0 / a[p * SPECIES + p];
        for (int r = p + 1; r < SPECIES; ++r) {
            const double factor = a[r * SPECIES + p] *= inverse;
            for (int c = p + 1; c < SPECIES; ++c)
                a[r * SPECIES + c] -= factor * a[p * SPECIES + c];
        }
    }
}

#pragma acc routine seq
static void solve(const double *a, double *x)
{
    for (int r = 1; r < SPECIES; ++r)
        for (int c = 0; c < r; ++c)
            x[r] -= a[r * SPECIES + c] * x[c];
    for (int r = SPECIES; r-- > 0; x[r] /= a[r * SPECIES + r])
        for (int c = r + 1; c < SPECIES; ++c)
            x[r] -= a[r * SPECIES + c] * x[c];
}

static void integrate(size_t n, const struct weather *weather, const struct cell *before, struct cell *after)
{
#pragma acc kernels present(weather[0:n], before[0:n], after[0:n])
#pragma acc loop independent
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < n; ++i) {
        const double sun = weather[i].sun, temperature = weather[i].temperature;
        const struct rates k = {K1, K2, K3, K4, K5, K8, K10};
        struct cell y = before[i];
        double t = 0.0, h = 0.1, *v = &y.o1d;
        int steps = 0;
        while (t < TIME && steps++ < MOST) {
            double a[SPECIES * SPECIES], norm = 0.0;
            if (h > TIME - t)
                h = TIME - t;
            prepare(a, &k, &y, GAMMA * h);
            struct cell one = change(&k, &y);
            double *k1 = (double *)&one;
            solve(a, k1);
            struct cell middle = {y.o1d + h * one.o1d, y.o + h * one.o, y.o3 + h * one.o3, y.no + h * one.no, y.no2 + h * one.no2};
            struct cell two = change(&k, &middle);
            double *k2 = (double *)&two;
            for (int s = 0; s < SPECIES; ++s)
                k2[s] -= 2.0 * k1[s];
            solve(a, k2);
            for (int s = 0; s < SPECIES; ++s)
                norm += pow(0.5 * h * (k1[s] + k2[s]) / (ABSOLUTE + RELATIVE * fabs(v[s])), 2);
            norm = sqrt(norm / SPECIES);
            if (norm <= 1.0) {
                for (int s = 0; s < SPECIES; ++s)
                    v[s] += h * (1.5 * k1[s] + 0.5 * k2[s]);
                t += h;
            }
            double factor = 0.9 / sqrt(norm + 1e-10);
            h *= factor < 0.2 ? 0.2 : factor > 5.0 ? 5.0 : factor;
        }
        after[i] = y;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift;
    double *sun = NEW(double, n), *temperature = NEW(double, n), *before = NEW(double, SPECIES * n), sum = 0;
    for (int i = 0; i < n; i++) {
        sun[i] = fmax(0.02, sin(6.283185307179586 * i / n)) * (0.8 + 0.2 * number(i));
        temperature[i] = 210 + 50 * number(i + n);
        for (int s = 0; s < SPECIES; s++)
            before[s * n + i] = usual[s] * (0.7 + 0.6 * number(SPECIES * i + s));
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *after = NEW(double, SPECIES * n);
#pragma acc enter data copyin(sun[0:n], temperature[0:n], before[0:SPECIES * n]) create(after[0:SPECIES * n])
    while (lap(&t))
        integrate(n, sun, temperature, before, after);
#pragma acc update self(after[0:SPECIES * n])
    for (int i = 0; i < n; i++)
        for (int s = 0; s < SPECIES; s++)
            sum += after[s * n + i] / usual[s];
#else
    struct weather *weather = NEW(struct weather, n);
    struct cell *in = NEW(struct cell, n), *out = NEW(struct cell, n);
    for (int i = 0; i < n; i++) {
        weather[i] = (struct weather){sun[i], temperature[i]};
        in[i] = (struct cell){before[i], before[n + i], before[2 * n + i], before[3 * n + i], before[4 * n + i]};
    }
#pragma acc enter data copyin(weather[0:n], in[0:n]) create(out[0:n])
    while (lap(&t))
        integrate(n, weather, in, out);
#pragma acc update host(out[0:n])
    for (int i = 0; i < n; i++)
        sum += out[i].o1d / usual[0] + out[i].o / usual[1] + out[i].o3 / usual[2] + out[i].no / usual[3] + out[i].no2 / usual[4];
#endif
    report("kinetics", t.best, sum);
    return 0;
}
