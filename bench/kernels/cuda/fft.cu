// 1024 Fourier transforms of 1024 complex numbers, float: Stockham's steps of radix 2, a launch each, twiddle factors from a table; a
// thread a butterfly.
#include "kernels.cuh"

__global__ void step(int n, int log_stride, const float2 *__restrict__ from, float2 *__restrict__ to,
                     const float2 *__restrict__ table)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n / 2)
        return;
    from += (size_t)blockIdx.y * n;
    to += (size_t)blockIdx.y * n;
    int stride = 1 << log_stride, q = k & (stride - 1), p = k - q;
    float2 x = from[k], y = from[k + n / 2], w = table[p];
    float re = x.x - y.x, im = x.y - y.y;
    to[q + 2 * p] = make_float2(x.x + y.x, x.y + y.y);
    to[q + 2 * p + stride] = make_float2(re * w.x - im * w.y, re * w.y + im * w.x);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int count = 1024 >> args.shift, n = 1024, all = count * n;
    float2 *a = NEW(float2, all), *table = NEW(float2, n / 2);
    double sum = 0;
    for (int k = 0; k < all; k++)
        a[k] = make_float2(number(k) * 0.03, number(3 * k) * 0.03);
    for (int k = 0; k < n / 2; k++)
        table[k] = make_float2(cos(6.283185307179586 * k / n), -sin(6.283185307179586 * k / n));
    float2 *da = on_device(a, all), *db = device<float2>(all), *dtable = on_device(table, n / 2);
    auto transform = [&] {
        float2 *from = da, *to = db;
        for (int s = 0; s < 10; s++) {
            step<<<dim3(ceiling(n / 2, 256), count), 256>>>(n, s, from, to, dtable);
            float2 *other = from;
            from = to;
            to = other;
        }
    };
    transform();
    to_host(a, da, all);
    for (int k = 0; k < all; k++)
        sum += fabs(a[k].x) + fabs(a[k].y);
    double best = fastest(args.repeats, transform);
    report("fft", best, sum);
    return 0;
}
