// Depths from two pictures of 640 x 480 bytes by semi-global matching with 64 disparities: a warp follows a row or a column, two disparities
// a lane, whose neighbours' sums come by shuffles.
#include "kernels.cuh"

constexpr int WIDTH = 640, HEIGHT = 480, DEPTHS = 64, SMALL = 3, LARGE = 20;

__global__ void compare(int wide, int high, const unsigned char *__restrict__ picture, unsigned char *__restrict__ bits)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high)
        return;
    int word = 0;
    if (x > 0 && x < wide - 1 && y > 0 && y < high - 1) {
        int centre = picture[y * wide + x];
#pragma unroll
        for (int dy = -1; dy <= 1; dy++)
#pragma unroll
            for (int dx = -1; dx <= 1; dx++)
                if (dx != 0 || dy != 0)
                    word = word << 1 | (picture[(y + dy) * wide + x + dx] > centre);
    }
    bits[y * wide + x] = word;
}

__global__ void costs(int wide, int all, const unsigned char *__restrict__ lbits, const unsigned char *__restrict__ rbits,
                      uchar2 *__restrict__ cost, ushort2 *__restrict__ sum)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, p = k / 32, d = 2 * (k % 32);
    if (p >= all)
        return;
    int x = p % wide, own = lbits[p];
    cost[k] = make_uchar2(__popc(own ^ rbits[p - min(x, d)]), __popc(own ^ rbits[p - min(x, d + 1)]));
    sum[k] = make_ushort2(0, 0);
}

__global__ void paths(int lines, int length, int first, int line, int step, const uchar2 *__restrict__ cost, ushort2 *__restrict__ sum)
{
    int l = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (l >= lines)
        return;
    int low = 0, high = 0, least = 0;
    for (int k = 0; k < length; k++) {
        int at = (first + l * line + k * step) * 32 + lane;
        uchar2 c = cost[at];
        ushort2 s = sum[at];
        int below = __shfl_up_sync(0xffffffff, high, 1), above = __shfl_down_sync(0xffffffff, low, 1);
        int a = min(min(low, high + SMALL), least + LARGE), b = min(min(high, low + SMALL), least + LARGE);
        if (lane > 0)
            a = min(a, below + SMALL);
        if (lane < 31)
            b = min(b, above + SMALL);
        low = c.x + a - least;
        high = c.y + b - least;
        sum[at] = make_ushort2(s.x + low, s.y + high);
        least = __reduce_min_sync(0xffffffff, min(low, high));
    }
}

__global__ void choose(int all, const ushort2 *__restrict__ sum, unsigned char *__restrict__ depth)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, p = k / 32, lane = k % 32;
    if (p >= all)
        return;
    ushort2 s = sum[k];
    unsigned best = min((unsigned)s.x << 8 | 2 * lane, (unsigned)s.y << 8 | (2 * lane + 1));
    best = __reduce_min_sync(0xffffffff, best);
    if (lane == 0)
        depth[p] = best & 255;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int shift = (args.shift + 1) / 2, wide = WIDTH >> shift, high = HEIGHT >> shift, all = wide * high;
    unsigned char *left = NEW(unsigned char, all), *right = NEW(unsigned char, all), *depth = NEW(unsigned char, all);
    unsigned short *sums = NEW(unsigned short, all * DEPTHS);
    double sum = 0;
    for (int p = 0; p < all; p++) {
        int x = p % wide, y = p / wide, away = y > high / 3 && y < high / 2 ? 17 : 5 + x * 8 / wide;
        right[p] = mix(p) % 200 + mix(x / 8 + y / 8 * 1000) % 50;
        left[p] = x >= away ? mix(p - away) % 200 + mix((x - away) / 8 + y / 8 * 1000) % 50 : 0;
    }
    unsigned char *dleft = on_device(left, all), *dright = on_device(right, all), *lbits = device<unsigned char>(all);
    unsigned char *rbits = device<unsigned char>(all), *ddepth = device<unsigned char>(all);
    uchar2 *cost = reinterpret_cast<uchar2 *>(device<unsigned char>(all * DEPTHS));
    unsigned short *dsums = device<unsigned short>(all * DEPTHS);
    ushort2 *pairs = reinterpret_cast<ushort2 *>(dsums);
    dim3 block(32, 8), grid(ceiling(wide, 32), ceiling(high, 8)), two(32, 2);
    double best = fastest(args.repeats, [&] {
        compare<<<grid, block>>>(wide, high, dleft, lbits);
        compare<<<grid, block>>>(wide, high, dright, rbits);
        costs<<<ceiling(all * 32L, 256), 256>>>(wide, all, lbits, rbits, cost, pairs);
        paths<<<ceiling(high, 2), two>>>(high, wide, 0, wide, 1, cost, pairs);
        paths<<<ceiling(high, 2), two>>>(high, wide, wide - 1, wide, -1, cost, pairs);
        paths<<<ceiling(wide, 2), two>>>(wide, high, 0, 1, wide, cost, pairs);
        paths<<<ceiling(wide, 2), two>>>(wide, high, (high - 1) * wide, 1, -wide, cost, pairs);
        choose<<<ceiling(all * 32L, 256), 256>>>(all, pairs, ddepth);
    });
    to_host(depth, ddepth, all);
    to_host(sums, dsums, all * DEPTHS);
    for (int p = 0; p < all; p++)
        sum += depth[p] * (1 + p % 7) + 1e-2 * sums[p * DEPTHS + depth[p]];
    report("stereo", best, sum);
    return 0;
}
