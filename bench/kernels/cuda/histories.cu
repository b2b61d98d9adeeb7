// Histories of 2^18 neutrons in 32^3 cells of two materials, double: a thread a particle, path lengths added to the flux of the cells by
// atomic updates, random numbers by Philox' method from particle and step.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int PARTICLES = 1 << 18, SIDE = 32, CELLS = SIDE * SIDE * SIDE, LONGEST = 2000;

struct ends {
    unsigned long long absorbed, gone, segments;
};

__constant__ double total[2], scatter[2];

__device__ double2 philox(unsigned low, unsigned high)
{
    unsigned key = 1;
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned old = low;
        low = __umulhi(0xD256D193u, old) ^ key ^ high;
        high = 0xD256D193u * old;
        key += 0x9E3779B9u;
    }
    return make_double2((low + 0.5) / 4294967296.0, (high + 0.5) / 4294967296.0);
}

__device__ void turn(double2 u, double &dx, double &dy, double &dz)
{
    double sine = sqrt(1 - (2 * u.x - 1) * (2 * u.x - 1)), s, c;
    sincospi(2 * u.y, &s, &c);
    dx = sine * c;
    dy = sine * s;
    dz = 2 * u.x - 1;
}

__global__ void transport(int particles, const unsigned char *__restrict__ material, double *__restrict__ flux, ends *result)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int absorbed = 0, gone = 0, segments = 0;
    if (p < particles) {
        double2 u = philox(p, 0);
        double x = SIDE / 2 + u.x - 0.5, y = SIDE / 2 + u.y - 0.5, z = SIDE / 2, dx, dy, dz;
        turn(philox(p, 1), dx, dy, dz);
        int i = (int)x, j = (int)y, k = (int)z;
        for (int step = 0; step < LONGEST; step++) {
            int cell = (i * SIDE + j) * SIDE + k, what = material[cell];
            u = philox(p, 2 * step + 2);
            double collision = -log(u.x) / total[what];
            double tx = dx != 0 ? (i + (dx > 0) - x) / dx : 1e30;
            double ty = dy != 0 ? (j + (dy > 0) - y) / dy : 1e30;
            double tz = dz != 0 ? (k + (dz > 0) - z) / dz : 1e30;
            double border = fmin(tx, fmin(ty, tz)), way = fmin(collision, border);
            segments++;
            atomicAdd(&flux[cell], way);
            x += way * dx;
            y += way * dy;
            z += way * dz;
            if (collision < border) {
                if (u.y >= scatter[what]) {
                    absorbed = 1;
                    break;
                }
                turn(philox(p, 2 * step + 3), dx, dy, dz);
            } else {
                if (border == tx)
                    i += dx > 0 ? 1 : -1;
                else if (border == ty)
                    j += dy > 0 ? 1 : -1;
                else
                    k += dz > 0 ? 1 : -1;
                if (i < 0 || i >= SIDE || j < 0 || j >= SIDE || k < 0 || k >= SIDE) {
                    gone = 1;
                    break;
                }
            }
        }
    }
    auto plus = [](int a, int b) { return a + b; };
    absorbed = block_reduce(absorbed, 0, plus);
    __syncthreads();
    gone = block_reduce(gone, 0, plus);
    __syncthreads();
    segments = block_reduce(segments, 0, plus);
    if (threadIdx.x == 0) {
        atomicAdd(&result->absorbed, (unsigned long long)absorbed);
        atomicAdd(&result->gone, (unsigned long long)gone);
        atomicAdd(&result->segments, (unsigned long long)segments);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int particles = PARTICLES >> args.shift;
    unsigned char *material = NEW(unsigned char, CELLS);
    double *flux = NEW(double, CELLS), totals[2] = {0.25, 0.75}, scatters[2] = {0.9, 0.7}, sum = 0;
    for (int k = 0; k < CELLS; k++) {
        material[k] = (k / 4 + k / SIDE / 4 + k / SIDE / SIDE / 4) % 2;
        flux[k] = 0;
    }
    CHECK(cudaMemcpyToSymbol(total, totals, sizeof totals));
    CHECK(cudaMemcpyToSymbol(scatter, scatters, sizeof scatters));
    unsigned char *dmaterial = on_device(material, CELLS);
    double *dflux = on_device(flux, CELLS);
    ends *de = device<ends>(1), *e = pinned<ends>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(de, 0, sizeof *de));
        transport<<<ceiling(particles, 128), 128>>>(particles, dmaterial, dflux, de);
        CHECK(cudaMemcpyAsync(e, de, sizeof *e, cudaMemcpyDeviceToHost));
    });
    to_host(flux, dflux, CELLS);
    SUM(sum, flux, CELLS);
    report("histories", best, sum + e->absorbed + 2.0 * e->gone + 1e-3 * e->segments);
    return 0;
}
