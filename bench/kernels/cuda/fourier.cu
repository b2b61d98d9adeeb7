// Fourier transform of 2^20 complex numbers, float, by Stockham's stages of radix 2 with a table of the roots; a launch for each
// stage, a thread for each pair.
#include "kernels.cuh"

__global__ void stage(int n, int half, const float2 *__restrict__ roots, const float2 *__restrict__ in,
                      float2 *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    int k = i & (half - 1), block = i - k, to = 2 * block + k;
    float2 a = in[i], b = in[i + n / 2], w = roots[block], d = make_float2(a.x - b.x, a.y - b.y);
    out[to] = make_float2(a.x + b.x, a.y + b.y);
    out[to + half] = make_float2(d.x * w.x - d.y * w.y, d.x * w.y + d.y * w.x);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, stages = 0;
    float2 *first = NEW(float2, n), *result = NEW(float2, n), *roots = NEW(float2, n / 2);
    double sum = 0;
    for (int k = 0; k < n; k++)
        first[k] = make_float2(number(2 * k) - 0.5, number(2 * k + 1) - 0.5);
    for (int k = 0; k < n / 2; k++)
        roots[k] = make_float2(cos(-6.283185307179586 * k / n), sin(-6.283185307179586 * k / n));
    float2 *dfirst = on_device(first, n), *droots = on_device(roots, n / 2), *a = device<float2>(n), *b = device<float2>(n);
    double best = fastest(args.repeats, [&] {
        float2 *from = dfirst, *to = a;
        for (int half = 1; half < n; half *= 2) {
            stage<<<ceiling(n / 2, 256), 256>>>(n, half, droots, from, to);
            from = to;
            to = to == a ? b : a;
        }
    });
    for (int half = 1; half < n; half *= 2)
        stages++;
    to_host(result, stages % 2 ? a : b, n);
    for (int k = 0; k < n; k++)
        sum += fabs(result[k].x) + fabs(result[k].y);
    report("fourier", best, sum);
    return 0;
}
