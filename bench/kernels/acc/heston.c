// The price of a call that is lost above a barrier where volatility is random as well (Heston), double: 2^17 paths of 64 steps with generators of their
// own; mean and variance of what is paid, and how many paths are lost.
#include "../kernels.h"

enum { PATHS = 1 << 17, STEPS = 64 };
#define SPOT 100.0
#define STRIKE 100.0
#define BARRIER 140.0
#define RATE 0.03
#define KAPPA 2.0
#define THETA 0.04
#define XI 0.3
#define RHO (-0.7)
#define DT (1.0 / STEPS)

#if SPELLING == 1
static inline unsigned draw(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static void price(int n, double *mean, double *deviation, int *lost)
{
    double sum = 0, square = 0, discount = exp(-RATE);
    int out = 0;
#pragma acc parallel loop reduction(+ : sum, square, out)
#pragma omp parallel for reduction(+ : sum, square, out)
    for (int p = 0; p < n; p++) {
        unsigned state = mix(p + 1) | 1;
        double s = log(SPOT), v = THETA;
        int alive = 1;
        for (int k = 0; k < STEPS && alive; k++) {
            double u1 = (draw(&state) + 0.5) / 4294967296.0, u2 = draw(&state) / 4294967296.0;
            double r = sqrt(-2 * log(u1)), z1 = r * cos(6.283185307179586 * u2), z2 = r * sin(6.283185307179586 * u2);
            double positive = fmax(v, 0), root = sqrt(positive * DT);
            s += (RATE - 0.5 * positive) * DT + root * z1;
            v += KAPPA * (THETA - positive) * DT + XI * root * (RHO * z1 + sqrt(1 - RHO * RHO) * z2);
            if (s > log(BARRIER))
                alive = 0;
        }
        double paid = alive ? fmax(exp(s) - STRIKE, 0) * discount : 0;
        sum += paid;
        square += paid * paid;
        out += !alive;
    }
    *mean = sum / n;
    *deviation = sqrt(square / n - *mean * *mean);
    *lost = out;
}
#else
struct path { double s, v; unsigned state; };

static double uniform(struct path *p)
{
    p->state ^= p->state << 13;
    p->state ^= p->state >> 17;
    p->state ^= p->state << 5;
    return p->state / 4294967296.0;
}

static void step(struct path *p)
{
    double radius = sqrt(-2 * log(uniform(p) + 0.5 / 4294967296.0)), angle = 6.283185307179586 * uniform(p);
    double z[2] = {radius * cos(angle), radius * sin(angle)}, v = p->v > 0 ? p->v : 0;
    p->s *= exp((RATE - v / 2) * DT + sqrt(v * DT) * z[0]);
    p->v += KAPPA * (THETA - v) * DT + XI * sqrt(v * DT) * (RHO * z[0] + sqrt(1 - RHO * RHO) * z[1]);
}

static void price(long n, double *mean, double *deviation, int *lost)
{
    double sum = 0, square = 0;
    long out = 0;
#pragma acc kernels loop independent gang vector reduction(+ : sum) reduction(+ : square) reduction(+ : out)
#pragma omp parallel for reduction(+ : sum, square, out)
    for (long k = 0; k < n; ++k) {
        struct path p = {SPOT, THETA, mix((unsigned)k + 1) | 1};
        int i;
        for (i = 0; i < STEPS; ++i) {
            step(&p);
            if (p.s > BARRIER)
                break;
        }
        if (i < STEPS) {
            ++out;
        } else if (p.s > STRIKE) {
            double paid = exp(-RATE) * (p.s - STRIKE);
            sum += paid;
            square += paid * paid;
        }
    }
    *mean = sum / n;
    *deviation = sqrt(square / n - (sum / n) * (sum / n));
    *lost = (int)out;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATHS >> args.shift, lost = 0;
    double mean = 0, deviation = 0;
    struct watch t = watch(args.repeats);
    while (lap(&t))
        price(n, &mean, &deviation, &lost);
    report("heston", t.best, mean + deviation + (double)lost / n);
    return 0;
}
