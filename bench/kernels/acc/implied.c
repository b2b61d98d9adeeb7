// Volatilities that the prices of 2^19 options imply, double: Newton's method on the formula of Black and Scholes, kept within a bracket that
// is halved where a step would leave it, until the price is met.
#include "../kernels.h"

enum { OPTIONS = 1 << 19, MOST = 60 };
static const double RATE = 0.02, NEAR = 1e-10;

#if SPELLING == 1
static void implied(int n, const double *restrict spot, const double *restrict strike, const double *restrict years, const double *restrict price,
                    double *restrict volatility, int *restrict steps)
{
#pragma acc parallel loop present(spot[0:n], strike[0:n], years[0:n], price[0:n], volatility[0:n], steps[0:n])
#pragma omp parallel for schedule(dynamic, 1024)
    for (int i = 0; i < n; i++) {
        double s = spot[i], k = strike[i] * exp(-RATE * years[i]), root = sqrt(years[i]), low = 1e-4, high = 4, v = 0.3;
        double moneyness = log(s / k);
        int count;
        for (count = 1; count <= MOST; count++) {
            double d1 = moneyness / (v * root) + 0.5 * v * root, d2 = d1 - v * root;
            double off = s * 0.5 * erfc(-d1 * M_SQRT1_2) - k * 0.5 * erfc(-d2 * M_SQRT1_2) - price[i];
            if (fabs(off) < NEAR)
                break;
            if (off > 0)
                high = v;
            else
                low = v;
            double vega = s * root * exp(-0.5 * d1 * d1) * 0.3989422804014327;
            double next = v - off / vega;
            v = next > low && next < high ? next : 0.5 * (low + high);
        }
        volatility[i] = v;
        steps[i] = count;
    }
}
#else
typedef struct { double spot, strike, years, price; } option;
typedef struct { double low, high; } bracket;

#pragma acc routine seq
static double normal(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

#pragma acc routine seq
static void value(const option *o, double v, double *price, double *vega)
{
    const double spread = v * sqrt(o->years);
    const double d1 = (log(o->spot / o->strike) + RATE * o->years) / spread + spread / 2;
    *price = o->spot * normal(d1) - o->strike * exp(-RATE * o->years) * normal(d1 - spread);
    *vega = o->spot * sqrt(o->years) * exp(-d1 * d1 / 2) / sqrt(2 * M_PI);
}

static void implied(size_t n, option *options, double *volatility, int *steps)
{
#pragma acc kernels present(options[0:n], volatility[0:n], steps[0:n])
#pragma acc loop independent
#pragma omp parallel for schedule(dynamic, 1024)
    for (size_t i = 0; i < n; ++i) {
        option o = options[i];
        bracket b = {1e-4, 4.0};
        double v = 0.3, price, vega;
        int count = 0;
        while (++count <= MOST) {
            value(&o, v, &price, &vega);
            const double off = price - o.price;
            if (-NEAR < off && off < NEAR)
                break;
            *(off > 0 ? &b.high : &b.low) = v;
            v -= off / vega;
            if (!(v > b.low && v < b.high))
                v = (b.low + b.high) / 2;
        }
        volatility[i] = v;
        steps[i] = count;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = OPTIONS >> args.shift, *steps = NEW(int, n);
    double *spot = NEW(double, n), *strike = NEW(double, n), *years = NEW(double, n), *price = NEW(double, n), *volatility = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++) {
        double v = 0.1 + 0.6 * number(4 * i), d1;
        spot[i] = 50 + 100 * number(4 * i + 1);
        years[i] = 0.25 + 2 * number(4 * i + 2);
        strike[i] = spot[i] * (0.75 + 0.5 * number(4 * i + 3));
        d1 = (log(spot[i] / strike[i]) + (RATE + v * v / 2) * years[i]) / (v * sqrt(years[i]));
        price[i] = spot[i] * 0.5 * erfc(-d1 / sqrt(2)) - strike[i] * exp(-RATE * years[i]) * 0.5 * erfc(-(d1 - v * sqrt(years[i])) / sqrt(2));
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(spot[0:n], strike[0:n], years[0:n], price[0:n]) create(volatility[0:n], steps[0:n])
    while (lap(&t))
        implied(n, spot, strike, years, price, volatility, steps);
#else
    option *options = NEW(option, n);
    for (int i = 0; i < n; i++)
        options[i] = (option){spot[i], strike[i], years[i], price[i]};
#pragma acc enter data copyin(options[0:n]) create(volatility[0:n], steps[0:n])
    while (lap(&t))
        implied(n, options, volatility, steps);
#endif
#pragma acc update self(volatility[0:n], steps[0:n])
    for (int i = 0; i < n; i++)
        sum += volatility[i] * (1 + i % 3) + (steps[i] > MOST);
    report("implied", t.best, sum);
    return 0;
}
