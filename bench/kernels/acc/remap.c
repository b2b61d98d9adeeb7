// A tracer in 2^17 columns of 64 layers, double, brought to layers of equal mass: slopes with limits, and what each new layer takes of the old ones that
// it meets.
#include "../kernels.h"

enum { COLUMNS = 1 << 17, LAYERS = 64 };

#if SPELLING == 1
static void remap(int n, const double *restrict dp, const double *restrict q, double *restrict out)
{
#pragma acc parallel loop gang vector vector_length(128) present(dp[0:LAYERS * n], q[0:LAYERS * n], out[0:LAYERS * n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double edge[LAYERS + 1], slope[LAYERS];
        edge[0] = 0;
        for (int k = 0; k < LAYERS; k++)
            edge[k + 1] = edge[k] + dp[k * n + c];
        for (int k = 0; k < LAYERS; k++) {
            if (k == 0 || k == LAYERS - 1) {
                slope[k] = 0;
            } else {
                double left = q[k * n + c] - q[(k - 1) * n + c], right = q[(k + 1) * n + c] - q[k * n + c];
                if (left * right <= 0)
                    slope[k] = 0;
                else
                    slope[k] = fmin(fmin(2 * fabs(left), 2 * fabs(right)), 0.5 * fabs(left + right)) * (left > 0 ? 1 : -1);
            }
        }
        double size = edge[LAYERS] / LAYERS;
        int l = 0;
        for (int k = 0; k < LAYERS; k++) {
            double from = k * size, to = k == LAYERS - 1 ? edge[LAYERS] : (k + 1) * size, sum = 0;
            while (from < to) {
                double end = fmin(to, edge[l + 1]), thick = edge[l + 1] - edge[l];
                double a = (from - edge[l]) / thick, b = (end - edge[l]) / thick;
                sum += (end - from) * (q[l * n + c] + slope[l] * (0.5 * (a + b) - 0.5));
                if (end < to && l < LAYERS - 1)
                    l++;
                from = end;
            }
            out[k * n + c] = sum / size;
        }
    }
}
#else
struct layer { double top, thick, value, slope; };

static double limited(double a, double b, double c)
{
    const double left = b - a, right = c - b;
    double size = fabs(c - a) / 2;
    if (2 * fabs(left) < size)
        size = 2 * fabs(left);
    if (2 * fabs(right) < size)
        size = 2 * fabs(right);
    return left > 0 && right > 0 ? size : left < 0 && right < 0 ? -size : 0;
}

static double part(const struct layer *layer, double from, double to)
{
    double middle = (0.5 * (from + to) - layer->top) / layer->thick;
    return (to - from) * (layer->value + layer->slope * (middle - 0.5));
}

static void remap(size_t n, double *dp_, double *q_, double *out_)
{
    double(*dp)[n] = (void *)dp_, (*q)[n] = (void *)q_, (*out)[n] = (void *)out_;
#pragma acc kernels present(dp[0:LAYERS], q[0:LAYERS], out[0:LAYERS])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t c = 0; c < n; ++c) {
        struct layer layers[LAYERS];
        double top = 0;
        for (size_t k = 0; k < LAYERS; ++k) {
            layers[k].top = top;
            layers[k].thick = dp[k][c];
            layers[k].value = q[k][c];
            layers[k].slope = k > 0 && k + 1 < LAYERS ? limited(q[k - 1][c], q[k][c], q[k + 1][c]) : 0;
            top += dp[k][c];
        }
        const struct layer *at = layers;
        double from = 0;
        for (size_t k = 0; k < LAYERS; ++k) {
            double to = k + 1 == LAYERS ? top : (k + 1) * (top / LAYERS), sum = 0;
            while (at->top + at->thick < to && at < layers + LAYERS - 1) {
                sum += part(at, from, at->top + at->thick);
                from = at->top + at->thick;
                ++at;
            }
            sum += part(at, from, to);
            from = to;
            out[k][c] = sum / (top / LAYERS);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = LAYERS * n;
    double *dp = NEW(double, all), *q = NEW(double, all), *out = NEW(double, all), sum = 0;
    for (int k = 0; k < all; k++)
        dp[k] = 0.3 + number(k);
    for (int k = 0; k < all; k++)
        q[k] = k / n * 0.1 + number(k + 12345);
#pragma acc enter data copyin(dp[0:all], q[0:all]) create(out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        remap(n, dp, q, out);
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += out[k] * (1 + k / n % 5);
    report("remap", t.best, sum);
    return 0;
}
