// The widths of Gaussians as t-SNE wants them, double: for each of 16384 points that one which gives its 192 nearest neighbours a perplexity of 30: a warp a
// point, six distances of a lane in registers.
#include "kernels.cuh"

enum { POINTS = 16384, NEAREST = 192, TRIES = 80 };
#define PERPLEXITY 30.0
#define TOLERANCE 1e-10

constexpr int WARPS = 4, EACH = NEAREST / 32;

__global__ void __launch_bounds__(32 * WARPS) search(int n, double wanted, const double *__restrict__ distance, double *__restrict__ p,
                                                     double *__restrict__ width)
{
    int i = blockIdx.x * WARPS + threadIdx.y, lane = threadIdx.x;
    if (i >= n)
        return;
    double d[EACH], e[EACH], beta = 1, low = 0, high = -1, total = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        d[k] = distance[i * NEAREST + k * 32 + lane];
    for (int t = 0; t < TRIES; t++) {
        double mean = 0;
        total = 0;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            e[k] = exp(-beta * d[k]);
            total += e[k];
            mean += d[k] * e[k];
        }
        for (int s = 16; s > 0; s /= 2) {
            total += __shfl_xor_sync(0xffffffff, total, s);
            mean += __shfl_xor_sync(0xffffffff, mean, s);
        }
        double over = log(total) + beta * mean / total - wanted;
        if (fabs(over) < TOLERANCE)
            break;
        if (over > 0) {
            low = beta;
            beta = high < 0 ? 2 * beta : 0.5 * (beta + high);
        } else {
            high = beta;
            beta = 0.5 * (beta + low);
        }
    }
    double factor = 1 / total;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        p[i * NEAREST + k * 32 + lane] = e[k] * factor;
    if (lane == 0)
        width[i] = beta;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, all = n * NEAREST;
    double *distance = NEW(double, all), *p = NEW(double, all), *width = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < NEAREST; j++)
            distance[i * NEAREST + j] = (1 + 3 * number(i + 31)) * (0.02 * j + 0.5 * number(i * NEAREST + j));
    double *ddistance = on_device(distance, all), *dp = device<double>(all), *dwidth = device<double>(n);
    double best = fastest(args.repeats, [&] { search<<<ceiling(n, WARPS), dim3(32, WARPS)>>>(n, log(PERPLEXITY), ddistance, dp, dwidth); });
    to_host(p, dp, all);
    to_host(width, dwidth, n);
    for (int k = 0; k < all; k++)
        sum += p[k] * (1 + k % 7);
    SUM(sum, width, n);
    report("perplexity", best, sum);
    return 0;
}
