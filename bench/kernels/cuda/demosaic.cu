// Colours of a camera's picture of 4096 x 4096 points of 16 bits by the filters of Malvar, He and Cutler: tiles of 32 x
// 8 points with their borders in shared memory, a thread a point.
#include "kernels.cuh"

constexpr int WHITE = 4095, WIDE = 32, HIGH = 8;

typedef unsigned short sample;

__device__ int mirror(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

__device__ sample cut(float x) { return static_cast<sample>(fminf(fmaxf(x, 0), WHITE) + 0.5f); }

__global__ void colours(int h, int w, const sample *__restrict__ raw, sample *__restrict__ red,
                        sample *__restrict__ green, sample *__restrict__ blue)
{
    __shared__ float tile[HIGH + 4][WIDE + 4];
    int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * HIGH, thread = threadIdx.y * WIDE + threadIdx.x;
    for (int k = thread; k < (HIGH + 4) * (WIDE + 4); k += WIDE * HIGH) {
        int j = k / (WIDE + 4), i = k % (WIDE + 4);
        int y = max(0, min(h - 1, mirror(y0 + j - 2, h))), x = max(0, min(w - 1, mirror(x0 + i - 2, w)));
        tile[j][i] = raw[y * w + x];
    }
    __syncthreads();
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= w || y >= h)
        return;
    auto p = [&](int j, int i) { return tile[threadIdx.y + j][threadIdx.x + i]; };
    float here = p(2, 2), cross = p(1, 2) + p(3, 2) + p(2, 1) + p(2, 3),
          corners = p(1, 1) + p(1, 3) + p(3, 1) + p(3, 3);
    float across = p(2, 0) + p(2, 4), down = p(0, 2) + p(4, 2), r, g, b;
    if ((x ^ y) & 1) {
        float beside = (5 * here + 4 * (p(2, 1) + p(2, 3)) - corners - across + 0.5f * down) / 8;
        float above = (5 * here + 4 * (p(1, 2) + p(3, 2)) - corners - down + 0.5f * across) / 8;
        g = here;
        r = y & 1 ? above : beside;
        b = y & 1 ? beside : above;
    } else {
        float corner = (6 * here + 2 * corners - 1.5f * (across + down)) / 8;
        g = (4 * here + 2 * cross - across - down) / 8;
        r = y & 1 ? corner : here;
        b = y & 1 ? here : corner;
    }
    red[y * w + x] = cut(r * 1.75f);
    green[y * w + x] = cut(g);
    blue[y * w + x] = cut(b * 1.5f);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = 4096 >> (args.shift + 1) / 2, all = side * side;
    sample *raw = NEW(sample, all), *red = NEW(sample, all), *green = NEW(sample, all), *blue = NEW(sample, all);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        int x = k % side, y = k / side;
        raw[k] = 1500 + 900 * ((x / 24 + y / 40) % 2) - 500 * ((x + y) % 2) + mix(k) % 300;
    }
    sample *draw = on_device(raw, all), *dred = device<sample>(all), *dgreen = device<sample>(all),
           *dblue = device<sample>(all);
    dim3 block(WIDE, HIGH), grid(ceiling(side, WIDE), ceiling(side, HIGH));
    double best = fastest(args.repeats, [&] { colours<<<grid, block>>>(side, side, draw, dred, dgreen, dblue); });
    to_host(red, dred, all);
    to_host(green, dgreen, all);
    to_host(blue, dblue, all);
    for (int k = 0; k < all; k++)
        sum += red[k] + 2 * green[k] + 3 * blue[k];
    report("demosaic", best, sum);
    return 0;
}
