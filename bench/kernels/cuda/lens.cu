// Light of a distant source through a galaxy's stars, float: 1024 x 512 rays and 1024 point masses; a thread a ray, stars in tiles of
// shared memory, rays counted atomically.
#include "kernels.cuh"

constexpr int WIDE = 1024, HIGH = 512, STARS = 1024, PIXELS = 256, TILE = 256;
constexpr float SHEET = 0.2f, SHEAR = 0.15f, HALF = 12, SOURCE = 12;

__global__ void shoot(int wide, int high, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ mass,
                      int *map)
{
    __shared__ float tx[TILE], ty[TILE], tm[TILE];
    int ray = blockIdx.x * TILE + threadIdx.x;
    float rx = HALF * (2 * (ray % wide + 0.5f) / wide - 1), ry = HALF * (2 * (ray / wide + 0.5f) / high - 1), ax = 0, ay = 0;
    for (int first = 0; first < STARS; first += TILE) {
        tx[threadIdx.x] = x[first + threadIdx.x];
        ty[threadIdx.x] = y[first + threadIdx.x];
        tm[threadIdx.x] = mass[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int s = 0; s < TILE; s++) {
            float dx = rx - tx[s], dy = ry - ty[s], pull = tm[s] / (dx * dx + dy * dy + 1e-6f);
            ax += pull * dx;
            ay += pull * dy;
        }
        __syncthreads();
    }
    float sx = (1 - SHEET - SHEAR) * rx - ax, sy = (1 - SHEET + SHEAR) * ry - ay;
    int px = (int)floorf((sx + SOURCE) * (PIXELS / (2 * SOURCE))), py = (int)floorf((sy + SOURCE) * (PIXELS / (2 * SOURCE)));
    if (ray < wide * high && px >= 0 && px < PIXELS && py >= 0 && py < PIXELS)
        atomicAdd(&map[py * PIXELS + px], 1);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int wide = WIDE, high = HIGH >> args.shift, *map = NEW(int, PIXELS * PIXELS);
    float *x = NEW(float, STARS), *y = NEW(float, STARS), *mass = NEW(float, STARS);
    double sum = 0;
    for (int s = 0; s < STARS; s++) {
        x[s] = 1.5f * HALF * (2 * number(2 * s) - 1);
        y[s] = 1.5f * HALF * (2 * number(2 * s + 1) - 1);
        mass[s] = 0.05 + 0.1 * number(s + STARS);
    }
    float *dx = on_device(x, STARS), *dy = on_device(y, STARS), *dmass = on_device(mass, STARS);
    int *dmap = device<int>(PIXELS * PIXELS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dmap, 0, PIXELS * PIXELS * sizeof(int)));
        shoot<<<ceiling(wide * high, TILE), TILE>>>(wide, high, dx, dy, dmass, dmap);
    });
    to_host(map, dmap, PIXELS * PIXELS);
    // Rounding moves a few rays to the next pixel; weights differ little there.
    for (int p = 0; p < PIXELS * PIXELS; p++)
        sum += map[p] * (1 + p % PIXELS / 1024.0 + p / PIXELS / 2048.0);
    report("lens", best, sum);
    return 0;
}
