// A Voronoi diagram of 4096 sites in a picture of 2048 x 2048 points by jump flooding: a launch for each of eleven
// rounds, a thread a point, blocks of 32 x 8; rows and columns of sites by shifts.
#include "kernels.cuh"

constexpr int SIDE = 2048, SITES = 4096;

template <bool LAST>
__global__ void flood(int bits, int step, const int *__restrict__ from, int *__restrict__ to,
                      int *__restrict__ distance)
{
    int side = 1 << bits, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int best = -1, least = 0x7fffffff;
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
#pragma unroll
        for (int dx = -1; dx <= 1; dx++) {
            int ny = y + dy * step, nx = x + dx * step;
            if ((unsigned)ny >= (unsigned)side || (unsigned)nx >= (unsigned)side)
                continue;
            int site = __ldg(&from[ny << bits | nx]);
            int sy = (site >> bits) - y, sx = (site & (side - 1)) - x, d = sy * sy + sx * sx;
            if (site >= 0 && d < least) {
                least = d;
                best = site;
            }
        }
    to[y << bits | x] = best;
    if (LAST)
        distance[y << bits | x] = least;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> args.shift / 2, points = side * side, bits = 0;
    int *seeds = NEW(int, points), *distance = NEW(int, points);
    double sum = 0;
    while (1 << bits < side)
        bits++;
    for (int k = 0; k < points; k++)
        seeds[k] = -1;
    for (int k = 0; k < SITES >> args.shift; k++) {
        int at = mix(k) % points;
        seeds[at] = at;
    }
    int *dseeds = on_device(seeds, points), *ddistance = device<int>(points);
    int *buffers[2] = {device<int>(points), device<int>(points)};
    dim3 blocks(side / 32, side / 8), threads(32, 8);
    double best = fastest(args.repeats, [&] {
        const int *from = dseeds;
        int round = 0;
        for (int step = side / 2; step > 1; step /= 2) {
            int *to = buffers[round++ % 2];
            flood<false><<<blocks, threads>>>(bits, step, from, to, ddistance);
            from = to;
        }
        flood<true><<<blocks, threads>>>(bits, 1, from, buffers[round % 2], ddistance);
    });
    to_host(distance, ddistance, points);
    SUM(sum, distance, points);
    report("jumpflood", best, sum);
    return 0;
}
