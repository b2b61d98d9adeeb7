// The distances by dynamic time warping of 2^17 series of 128 floats from one query within a band of 8 steps to each side: a row of the band in an array.
#include "../kernels.h"

enum { SERIES = 1 << 17, LENGTH = 128, BAND = 8, WIDE = 2 * BAND + 1 };
#define FAR 1e30f

#if SPELLING == 1
static void warp(int n, const float *restrict query, const float *restrict series, float *restrict distance)
{
#pragma acc parallel loop present(query[0:LENGTH], series[0:n * LENGTH], distance[0:n])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        float cost[WIDE + 1];
        for (int k = 0; k <= WIDE; k++)
            cost[k] = FAR;
        cost[BAND] = 0;
        for (int i = 0; i < LENGTH; i++) {
            float x = series[i * n + s], left = FAR;
            for (int k = 0; k < WIDE; k++) {
                int j = i - BAND + k;
                if (j < 0 || j >= LENGTH) {
                    left = FAR;
                } else {
                    float d = x - query[j];
                    left = d * d + fminf(fminf(cost[k], cost[k + 1]), left);
                }
                cost[k] = left;
            }
        }
        distance[s] = sqrtf(cost[BAND]);
    }
}
#else
#define LEAST(a, b, c) ((a) < (b) ? ((a) < (c) ? (a) : (c)) : ((b) < (c) ? (b) : (c)))

static void fill(float row[LENGTH + 1])
{
    for (size_t j = 0; j <= LENGTH; ++j)
        row[j] = FAR;
}

static void warp(size_t n, float *query, float *series, float *distance)
{
#pragma acc kernels present(query[0:LENGTH], series[0:n * LENGTH], distance[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t s = 0; s < n; ++s) {
        float row[2][LENGTH + 1];
        fill(row[0]);
        fill(row[1]);
        row[0][0] = 0;
        for (long i = 1; i <= LENGTH; ++i) {
            float *now = row[i % 2], *before = row[(i - 1) % 2], x = series[(i - 1) * n + s];
            long from = i - BAND < 1 ? 1 : i - BAND, to = i + BAND > LENGTH ? LENGTH : i + BAND;
            now[from - 1] = FAR;
            for (long j = from; j <= to; ++j) {
                float d = x - query[j - 1];
                now[j] = d * d + LEAST(before[j], before[j - 1], now[j - 1]);
            }
        }
        distance[s] = sqrtf(row[LENGTH % 2][LENGTH]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SERIES >> args.shift, all = n * LENGTH;
    float *query = NEW(float, LENGTH), *series = NEW(float, all), *distance = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < LENGTH; k++)
        query[k] = number(3 * k + 7);
    FILL(series, all, 1);
#pragma acc enter data copyin(query[0:LENGTH], series[0:all]) create(distance[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        warp(n, query, series, distance);
#pragma acc update self(distance[0:n])
    SUM(sum, distance, n);
    report("dtw", t.best, sum);
    return 0;
}
