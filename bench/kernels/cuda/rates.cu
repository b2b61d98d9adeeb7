// Rates of 24 reactions among 12 species in 131072 cells, double: a thread to a cell, tables in constant memory, loops unrolled.
#include "kernels.cuh"

constexpr int CELLS = 1 << 17, SPECIES = 12, REACTIONS = 24;

__constant__ double factor[REACTIONS] = {1.2, 0.3, 2.5, 0.7, 1.9, 0.1, 3.3, 0.8, 1.1, 0.6, 2.2, 0.4,
                                         1.7, 0.9, 0.2, 2.8, 1.3, 0.5, 1.4, 2.1, 0.35, 1.05, 0.75, 1.6};
__constant__ double power[REACTIONS] = {0.5, 0, 1, -0.5, 0, 0.25, 1.5, 0, -1, 0.5, 0, 1, 0, 0.75, -0.25, 0, 0.5, 1, 0, 0, -0.5, 1.25, 0, 0.5};
__constant__ double energy[REACTIONS] = {900, 1500, 300, 2200, 700, 1200, 450, 3100, 600, 1800, 2500, 350,
                                         950, 1350, 2750, 500, 1650, 800, 1100, 2050, 400, 2900, 1250, 1900};
__constant__ int from[REACTIONS][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {10, 11}, {11, 0},
                                    {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 8}, {7, 9}, {8, 10}, {9, 11}, {10, 0}, {11, 1}};
__constant__ int to[REACTIONS][2] = {{2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {10, 11}, {11, 0}, {0, 1}, {1, 2},
                                  {4, 7}, {5, 8}, {6, 9}, {7, 10}, {8, 11}, {9, 0}, {10, 1}, {11, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}};

__global__ void rates(int n, const double *__restrict__ temperature, const double *__restrict__ amount, double *__restrict__ change)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    double t = temperature[c], logarithm = log(t), inverse = 1 / t, have[SPECIES], made[SPECIES];
#pragma unroll
    for (int s = 0; s < SPECIES; s++)
        made[s] = 0, have[s] = amount[s * n + c];
#pragma unroll
    for (int r = 0; r < REACTIONS; r++) {
        double rate = factor[r] * exp(power[r] * logarithm - energy[r] * inverse) * have[from[r][0]] * have[from[r][1]];
        made[from[r][0]] -= rate;
        made[from[r][1]] -= rate;
        made[to[r][0]] += rate;
        made[to[r][1]] += rate;
    }
#pragma unroll
    for (int s = 0; s < SPECIES; s++)
        change[s * n + c] = made[s];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift, all = n * SPECIES;
    double *temperature = NEW(double, n), *amount = NEW(double, all), *change = NEW(double, all), sum = 0;
    for (int k = 0; k < n; k++)
        temperature[k] = 500 + 1500 * number(k);
    FILL(amount, all, 1);
    double *dtemperature = on_device(temperature, n), *damount = on_device(amount, all), *dchange = device<double>(all);
    double best = fastest(args.repeats, [&] { rates<<<ceiling(n, 128), 128>>>(n, dtemperature, damount, dchange); });
    to_host(change, dchange, all);
    for (int k = 0; k < all; k++)
        sum += fabs(change[k]);
    report("rates", best, sum);
    return 0;
}
