// The reciprocal part of Ewald's sum for 8192 charges, double: a block a wave, then a thread a charge with waves in shared memory.
#include "kernels.cuh"

enum { CHARGES = 8192, LARGEST = 10, WAVES = 2176 };
#define TURN 6.283185307179586

constexpr int THREADS = 256;

struct wave { double x, y, z, weight; };

__global__ void factors(int n, const double4 *__restrict__ charges, const wave *__restrict__ waves, double2 *__restrict__ factor, double *__restrict__ energy)
{
    __shared__ double2 part[THREADS / 32];
    wave w = waves[blockIdx.x];
    double c = 0, s = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        double4 a = charges[i];
        double sine, cosine;
        sincos(w.x * a.x + w.y * a.y + w.z * a.z, &sine, &cosine);
        c += a.w * cosine;
        s += a.w * sine;
    }
    for (int d = 16; d > 0; d /= 2) {
        c += __shfl_down_sync(0xffffffff, c, d);
        s += __shfl_down_sync(0xffffffff, s, d);
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = make_double2(c, s);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            c += part[k].x, s += part[k].y;
        factor[blockIdx.x] = make_double2(c, s);
        atomicAdd(energy, w.weight * (c * c + s * s));
    }
}

constexpr int LANES = 8;

__global__ void forces(int n, int waves, const double4 *__restrict__ charges, const wave *__restrict__ wave_, const double2 *__restrict__ factor, double *__restrict__ force)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    double x = 0, y = 0, z = 0, q = 0;
    if (i < n) {
        double4 a = charges[i];
        q = a.w;
        for (int k = lane; k < waves; k += LANES) {
            wave w = wave_[k];
            double2 e = factor[k];
            double sine, cosine;
            sincos(w.x * a.x + w.y * a.y + w.z * a.z, &sine, &cosine);
            double f = 2 * w.weight * (sine * e.x - cosine * e.y);
            x += f * w.x;
            y += f * w.y;
            z += f * w.z;
        }
    }
    for (int d = LANES / 2; d > 0; d /= 2) {
        x += __shfl_down_sync(0xffffffff, x, d, LANES);
        y += __shfl_down_sync(0xffffffff, y, d, LANES);
        z += __shfl_down_sync(0xffffffff, z, d, LANES);
    }
    if (i < n && lane == 0) {
        force[3 * i] = q * x;
        force[3 * i + 1] = q * y;
        force[3 * i + 2] = q * z;
    }
}

// Waves of one half of the space within a sphere; returns how many.
static int wave_vectors(double *kx, double *ky, double *kz, double *weight)
{
    int waves = 0;
    for (int a = 0; a <= LARGEST; a++)
        for (int b = -LARGEST; b <= LARGEST; b++)
            for (int c = -LARGEST; c <= LARGEST; c++) {
                int r2 = a * a + b * b + c * c;
                if (r2 == 0 || r2 > LARGEST * LARGEST || waves == WAVES || (a == 0 && (b < 0 || (b == 0 && c < 0))))
                    continue;
                kx[waves] = TURN * a;
                ky[waves] = TURN * b;
                kz[waves] = TURN * c;
                weight[waves++] = exp(-r2 * 0.02) / r2;
            }
    return waves;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CHARGES >> args.shift;
    double *kx = NEW(double, WAVES), *ky = NEW(double, WAVES), *kz = NEW(double, WAVES), *weight = NEW(double, WAVES), *force = NEW(double, 3 * n), sum = 0;
    int waves = wave_vectors(kx, ky, kz, weight);
    double4 *charges = NEW(double4, n);
    wave *all = NEW(wave, WAVES);
    for (int i = 0; i < n; i++) {
        charges[i].x = number(i);
        charges[i].y = number(i + 100003);
        charges[i].z = number(i + 200003);
        charges[i].w = i % 2 ? 1 : -1;
    }
    for (int k = 0; k < waves; k++)
        all[k] = {kx[k], ky[k], kz[k], weight[k]};
    double4 *dcharges = on_device(charges, n);
    wave *dall = on_device(all, waves);
    double2 *dfactor = device<double2>(waves);
    double *dforce = device<double>(3 * n), *denergy = device<double>(1), *energy = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        factors<<<waves, THREADS>>>(n, dcharges, dall, dfactor, denergy);
        forces<<<ceiling((long)n * LANES, 128), 128>>>(n, waves, dcharges, dall, dfactor, dforce);
        CHECK(cudaMemcpyAsync(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(force, dforce, 3 * n);
    for (int i = 0; i < 3 * n; i++)
        sum += fabs(force[i]);
    report("ewald", best, sum + *energy);
    return 0;
}
