// A search for a planet in 128 velocities of a star, double: for each of 512 periods, 16 shapes and 16 phases
// Kepler's equation is solved by Newton at each time, then least squares: a block a period, a thread an orbit,
// times in shared memory.
#include "kernels.cuh"

constexpr int PERIODS = 512, SHAPES = 16, PHASES = 16, TIMES = 128, THREADS = SHAPES * PHASES;
constexpr double TURN = 6.283185307179586;

__global__ void __launch_bounds__(THREADS)
search(int periods, const double *__restrict__ time, const double *__restrict__ speed, double *__restrict__ chi,
       unsigned long long *__restrict__ best)
{
    __shared__ double turns[TIMES], speeds[TIMES], parts[THREADS / 32];
    if (threadIdx.x < TIMES) {
        turns[threadIdx.x] = time[threadIdx.x] / (3 + 40 * (blockIdx.x + 0.5) / periods);
        speeds[threadIdx.x] = speed[threadIdx.x];
    }
    __syncthreads();
    double e = 0.9 * (threadIdx.x / PHASES) / SHAPES, phase = (double)(threadIdx.x % PHASES) / PHASES;
    double root = sqrt(1 - e * e), x = 0, y = 0, xx = 0, xy = 0, yy = 0, v = 0, vx = 0, vy = 0, vv = 0;
    for (int k = 0; k < TIMES; k++) {
        double turn = turns[k] + phase, m = TURN * (turn - floor(turn)), w = speeds[k], change = 1, s, c;
        double a = m < TURN / 2 ? m + 0.85 * e : m - 0.85 * e;
        for (int step = 0; step < 30 && fabs(change) > 1e-11; step++) {
            sincos(a, &s, &c);
            change = (a - e * s - m) / (1 - e * c);
            a -= change;
        }
        sincos(a, &s, &c);
        double r = 1 / (1 - e * c), cx = (c - e) * r, cy = root * s * r;
        x += cx;
        y += cy;
        xx += cx * cx;
        xy += cx * cy;
        yy += cy * cy;
        v += w;
        vx += w * cx;
        vy += w * cy;
        vv += w * w;
    }
    xx -= x * x / TIMES;
    xy -= x * y / TIMES;
    yy -= y * y / TIMES;
    vx -= v * x / TIMES;
    vy -= v * y / TIMES;
    double det = 1 / (xx * yy - xy * xy), a = (vx * yy - vy * xy) * det, b = (vy * xx - vx * xy) * det;
    double left = vv - v * v / TIMES - a * vx - b * vy;
    chi[blockIdx.x * THREADS + threadIdx.x] = left;
    for (int d = 16; d > 0; d /= 2)
        left = fmin(left, __shfl_xor_sync(0xffffffff, left, d));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = left;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            left = fmin(left, parts[k]);
        // the bits of positive numbers have the order of the numbers
        atomicMin(best, (unsigned long long)__double_as_longlong(left));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int periods = PERIODS >> args.shift, n = periods * THREADS;
    double *time = NEW(double, TIMES), *speed = NEW(double, TIMES), *chi = NEW(double, n), least = 0, sum = 0;
    for (int k = 0; k < TIMES; k++) {
        time[k] = k + 0.8 * number(k);
        double turn = TURN * time[k] / 17.3;
        speed[k] = 30 * sin(turn) + 9 * cos(2 * turn) + 4 * sin(3 * turn) + 5 * number(k + 1000);
    }
    double *dtime = on_device(time, TIMES), *dspeed = on_device(speed, TIMES), *dchi = device<double>(n);
    unsigned long long *dbest = device<unsigned long long>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dbest, 0x7f, sizeof *dbest));
        search<<<periods, THREADS>>>(periods, dtime, dspeed, dchi, dbest);
        CHECK(cudaMemcpy(&least, dbest, sizeof least, cudaMemcpyDeviceToHost));
    });
    to_host(chi, dchi, n);
    SUM(sum, chi, n);
    report("kepler", best, sum / n + least);
    return 0;
}
