// Constraints of 2^18 molecules of rigid water after a step (SHAKE), double: a thread a molecule in registers,
// molecules of a block come and go through shared memory; the virial by shuffles and an atomic addition for each block.
#include "kernels.cuh"

constexpr int MOST = 100, THREADS = 128;
constexpr double OXYGEN = 15.9994, HYDROGEN = 1.008, BOND = 0.1, ANGLE = 0.16329931618554522, TOLERANCE = 1e-9,
                 STEP = 0.002;

__global__ void place(int n, const double *__restrict__ moved, const double *__restrict__ old, double *__restrict__ x,
                      double *__restrict__ v)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        x[k] = moved[k];
        v[k] = (moved[k] - old[k]) / STEP;
    }
}

template <int A, int B>
__device__ double constrain(double (&p)[9], const double (&o)[9], double length2, double wa, double wb)
{
    double dx = p[3 * A] - p[3 * B], dy = p[3 * A + 1] - p[3 * B + 1], dz = p[3 * A + 2] - p[3 * B + 2];
    double off = length2 - (dx * dx + dy * dy + dz * dz);
    if (fabs(off) <= 2 * TOLERANCE * length2)
        return 0;
    double bx = o[3 * A] - o[3 * B], by = o[3 * A + 1] - o[3 * B + 1], bz = o[3 * A + 2] - o[3 * B + 2];
    double g = off / (2 * (dx * bx + dy * by + dz * bz) * (wa + wb));
    p[3 * A] += g * wa * bx;
    p[3 * A + 1] += g * wa * by;
    p[3 * A + 2] += g * wa * bz;
    p[3 * B] -= g * wb * bx;
    p[3 * B + 1] -= g * wb * by;
    p[3 * B + 2] -= g * wb * bz;
    return g;
}

__global__ void shake(int n, const double *__restrict__ old, double *__restrict__ x, double *__restrict__ v,
                      int *__restrict__ rounds, double *virial)
{
    __shared__ double room[9 * THREADS], parts[THREADS / 32];
    int first = blockIdx.x * THREADS, count = min(THREADS, n - first), i = threadIdx.x;
    double o[9] = {}, p[9] = {}, sum = 0;
    for (int k = i; k < 9 * count; k += THREADS)
        room[k] = old[9 * first + k];
    __syncthreads();
    if (i < count)
        for (int k = 0; k < 9; k++)
            o[k] = room[9 * i + k];
    __syncthreads();
    for (int k = i; k < 9 * count; k += THREADS)
        room[k] = x[9 * first + k];
    __syncthreads();
    if (i < count) {
        for (int k = 0; k < 9; k++)
            p[k] = room[9 * i + k];
        constexpr double wo = 1 / OXYGEN, wh = 1 / HYDROGEN;
        int round = 0;
        double change = 1;
        while (change > 0 && round < MOST) {
            double one = constrain<0, 1>(p, o, BOND * BOND, wo, wh), two = constrain<0, 2>(p, o, BOND * BOND, wo, wh);
            double three = constrain<1, 2>(p, o, ANGLE * ANGLE, wh, wh);
            sum += (one + two) * BOND * BOND + three * ANGLE * ANGLE;
            change = fabs(one) + fabs(two) + fabs(three);
            round++;
        }
        rounds[first + i] = round;
        for (int k = 0; k < 9; k++)
            room[9 * i + k] = p[k];
    }
    __syncthreads();
    for (int k = i; k < 9 * count; k += THREADS) {
        int at = 9 * first + k;
        v[at] += (room[k] - x[at]) / STEP;
        x[at] = room[k];
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (i % 32 == 0)
        parts[i / 32] = sum;
    __syncthreads();
    if (i == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum += parts[w];
        atomicAdd(virial, sum / (STEP * STEP));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, all = 9 * n;
    double *old = NEW(double, all), *moved = NEW(double, all), *x = NEW(double, all), *v = NEW(double, all), sum = 0;
    for (int i = 0; i < n; i++) {
        double turn = 6.28 * number(i + 3), tilt = 3.1 * number(i + 4), half = ANGLE / 2,
               high = sqrt(BOND * BOND - half * half);
        for (int a = 0; a < 3; a++) {
            double u = a == 0 ? 0 : a == 1 ? half : -half, w = a == 0 ? 0 : high;
            double at[3] = {u * cos(turn) - w * sin(turn) * cos(tilt), u * sin(turn) + w * cos(turn) * cos(tilt),
                            w * sin(tilt)};
            for (int d = 0; d < 3; d++) {
                int k = 9 * i + 3 * a + d;
                old[k] = at[d] + 0.31 * (d == 0 ? i % 64 : d == 1 ? i / 64 % 64 : i / 4096);
                moved[k] = old[k] + 0.02 * (number(k + 9) - 0.5);
            }
        }
    }
    double *dold = on_device(old, all), *dmoved = on_device(moved, all), *dx = device<double>(all),
           *dv = device<double>(all);
    double *dvirial = device<double>(1), *virial = pinned<double>();
    int *drounds = device<int>(n);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dvirial, 0, sizeof(double)));
        place<<<ceiling(all, 256), 256>>>(all, dmoved, dold, dx, dv);
        shake<<<ceiling(n, THREADS), THREADS>>>(n, dold, dx, dv, drounds, dvirial);
        CHECK(cudaMemcpyAsync(virial, dvirial, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(x, dx, all);
    to_host(v, dv, all);
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]) + v[k] * v[k];
    report("shake", best, sum + fabs(*virial) * 1e-3);
    return 0;
}
