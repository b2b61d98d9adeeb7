// A tracer in 2^17 columns of 64 layers, double, brought to layers of equal mass: a thread a column, slopes on the way.
#include "kernels.cuh"

enum { COLUMNS = 1 << 17, LAYERS = 64 };

__device__ double limited(double a, double b, double c)
{
    double left = b - a, right = c - b;
    if (left * right <= 0)
        return 0;
    return copysign(fmin(fmin(2 * fabs(left), 2 * fabs(right)), 0.5 * fabs(c - a)), left);
}

__global__ void remap(int n, const double *__restrict__ dp, const double *__restrict__ q, double *__restrict__ out)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    double bottom = 0;
    for (int k = 0; k < LAYERS; k++)
        bottom += dp[k * n + c];
    double size = bottom / LAYERS, top = 0, thick = dp[c], before = q[c], value = before, next = q[n + c], slope = 0, from = 0;
    int l = 0;
    for (int k = 0; k < LAYERS; k++) {
        double to = k == LAYERS - 1 ? bottom : (k + 1) * size, sum = 0;
        for (;;) {
            bool more = l < LAYERS - 1 && top + thick < to;
            double end = more ? top + thick : to;
            sum += (end - from) * (value + slope * ((0.5 * (from + end) - top) / thick - 0.5));
            from = end;
            if (!more)
                break;
            l++;
            top += thick;
            thick = dp[l * n + c];
            before = value;
            value = next;
            if (l < LAYERS - 1) {
                next = q[(l + 1) * n + c];
                slope = limited(before, value, next);
            } else {
                slope = 0;
            }
        }
        out[k * n + c] = sum / size;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = LAYERS * n;
    double *dp = NEW(double, all), *q = NEW(double, all), *out = NEW(double, all), sum = 0;
    for (int k = 0; k < all; k++)
        dp[k] = 0.3 + number(k);
    for (int k = 0; k < all; k++)
        q[k] = k / n * 0.1 + number(k + 12345);
    double *ddp = on_device(dp, all), *dq = on_device(q, all), *dout = device<double>(all);
    double best = fastest(args.repeats, [&] { remap<<<ceiling(n, 128), 128>>>(n, ddp, dq, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += out[k] * (1 + k / n % 5);
    report("remap", best, sum);
    return 0;
}
