// Volatilities that the prices of 2^19 options imply, double: Newton's method within a bracket; a thread an option, the arrays apart.
#include "kernels.cuh"

constexpr int OPTIONS = 1 << 19, MOST = 60;
constexpr double RATE = 0.02, NEAR = 1e-10;

__global__ void implied(int n, const double *__restrict__ spot, const double *__restrict__ strike, const double *__restrict__ years,
                        const double *__restrict__ price, double *__restrict__ volatility, int *__restrict__ steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = spot[i], k = strike[i] * exp(-RATE * years[i]), root = sqrt(years[i]), aim = price[i], low = 1e-4, high = 4, v = 0.3;
    double moneyness = log(s / k);
    int count = 1;
    for (; count <= MOST; count++) {
        double spread = v * root, d1 = moneyness / spread + 0.5 * spread;
        double off = s * normcdf(d1) - k * normcdf(d1 - spread) - aim;
        if (fabs(off) < NEAR)
            break;
        if (off > 0)
            high = v;
        else
            low = v;
        double next = v - off / (s * root * exp(-0.5 * d1 * d1) * 0.3989422804014327);
        v = next > low && next < high ? next : 0.5 * (low + high);
    }
    volatility[i] = v;
    steps[i] = count;
}

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
        price[i] = spot[i] * 0.5 * erfc(-d1 / sqrt(2.0)) - strike[i] * exp(-RATE * years[i]) * 0.5 * erfc(-(d1 - v * sqrt(years[i])) / sqrt(2.0));
    }
    double *dspot = on_device(spot, n), *dstrike = on_device(strike, n), *dyears = on_device(years, n), *dprice = on_device(price, n);
    double *dvolatility = device<double>(n);
    int *dsteps = device<int>(n);
    double best = fastest(args.repeats, [&] { implied<<<ceiling(n, 128), 128>>>(n, dspot, dstrike, dyears, dprice, dvolatility, dsteps); });
    to_host(volatility, dvolatility, n);
    to_host(steps, dsteps, n);
    for (int i = 0; i < n; i++)
        sum += volatility[i] * (1 + i % 3) + (steps[i] > MOST);
    report("implied", best, sum);
    return 0;
}
