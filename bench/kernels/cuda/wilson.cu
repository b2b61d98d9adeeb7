// Wilson's operator on quarks on a periodic lattice of 16 x 16 x 16 x 32 sites, float complex: a thread a site,
// component c of all sites together, directions and signs as templates so that half spinors stay in registers.
#include "kernels.cuh"

constexpr int SPINS = 4, COLOURS = 3, LINK = 9, SPINOR = SPINS * COLOURS, THREADS = 128;

__device__ float2 by_i(float2 a) { return make_float2(-a.y, a.x); }
__device__ float2 scaled(float s, float2 a) { return make_float2(s * a.x, s * a.y); }

template <int D, int SIGN>
__device__ void hop(int volume, int there, int at, const float2 *__restrict__ links, const float2 *__restrict__ in,
                    float2 (&out)[SPINS][COLOURS])
{
    float2 u[LINK];
#pragma unroll
    for (int k = 0; k < LINK; k++)
        u[k] = links[(D * LINK + k) * volume + at];
#pragma unroll
    for (int a = 0; a < 2; a++) {
        const int b = D < 2 ? 3 - a : 2 + a;
        const float s = ((D == 1 && a == 0) || (D == 2 && a == 1)) ? SIGN : -SIGN;
        const bool imaginary = D == 0 || D == 2;
        float2 half[COLOURS];
#pragma unroll
        for (int c = 0; c < COLOURS; c++) {
            float2 up = in[(a * COLOURS + c) * volume + there], low = in[(b * COLOURS + c) * volume + there];
            low = scaled(s, imaginary ? by_i(low) : low);
            half[c] = make_float2(up.x + low.x, up.y + low.y);
        }
#pragma unroll
        for (int r = 0; r < COLOURS; r++) {
            float2 g = make_float2(0, 0);
#pragma unroll
            for (int c = 0; c < COLOURS; c++) {
                float2 v = SIGN > 0 ? u[r * COLOURS + c] : u[c * COLOURS + r];
                float im = SIGN > 0 ? v.y : -v.y;
                g.x += v.x * half[c].x - im * half[c].y;
                g.y += v.x * half[c].y + im * half[c].x;
            }
            out[a][r].x += g.x;
            out[a][r].y += g.y;
            float2 low = scaled(s, imaginary ? make_float2(g.y, -g.x) : g);
            out[b][r].x += low.x;
            out[b][r].y += low.y;
        }
    }
}

__global__ void wilson(int side, int times, const float2 *__restrict__ links, const float2 *__restrict__ in,
                       float2 *__restrict__ out)
{
    int square = side * side, cube = square * side, volume = cube * times, s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= volume)
        return;
    int x = s % side, y = s / side % side, z = s / square % side, t = s / cube;
    float2 sum[SPINS][COLOURS] = {};
    hop<0, 1>(volume, x == side - 1 ? s - x : s + 1, s, links, in, sum);
    hop<1, 1>(volume, y == side - 1 ? s - y * side : s + side, s, links, in, sum);
    hop<2, 1>(volume, z == side - 1 ? s - z * square : s + square, s, links, in, sum);
    hop<3, 1>(volume, t == times - 1 ? s - t * cube : s + cube, s, links, in, sum);
    int west = x == 0 ? s + side - 1 : s - 1, south = y == 0 ? s + square - side : s - side;
    int below = z == 0 ? s + cube - square : s - square, before = t == 0 ? s + volume - cube : s - cube;
    hop<0, -1>(volume, west, west, links, in, sum);
    hop<1, -1>(volume, south, south, links, in, sum);
    hop<2, -1>(volume, below, below, links, in, sum);
    hop<3, -1>(volume, before, before, links, in, sum);
#pragma unroll
    for (int a = 0; a < SPINS; a++)
#pragma unroll
        for (int c = 0; c < COLOURS; c++)
            out[(a * COLOURS + c) * volume + s] = sum[a][c];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = 16 >> (args.shift + 1) / 3, times = 32 >> (args.shift + 1) / 3, volume = side * side * side * times;
    float2 *links = NEW(float2, 4 * LINK * volume), *in = NEW(float2, SPINOR * volume),
           *out = NEW(float2, SPINOR * volume);
    double sum = 0;
    auto component = [&](int k, int n) { return (long)(k % n) * volume + k / n; };
    for (int k = 0; k < 4 * LINK * volume; k++)
        links[component(k, 4 * LINK)] = make_float2(number(2 * k) - 0.5, number(2 * k + 1) - 0.5);
    for (int k = 0; k < SPINOR * volume; k++)
        in[component(k, SPINOR)] = make_float2(number(2 * k + 7) - 0.5, number(2 * k + 8) - 0.5);
    float2 *dlinks = on_device(links, 4 * LINK * volume), *din = on_device(in, SPINOR * volume),
           *dout = device<float2>(SPINOR * volume);
    double best =
        fastest(args.repeats, [&] { wilson<<<ceiling(volume, THREADS), THREADS>>>(side, times, dlinks, din, dout); });
    to_host(out, dout, SPINOR * volume);
    for (int k = 0; k < SPINOR * volume; k++) {
        float2 c = out[component(k, SPINOR)];
        sum += (1 + k % 5) * ((double)c.x * c.x + 2.0 * c.y * c.y);
    }
    report("wilson", best, sum);
    return 0;
}
