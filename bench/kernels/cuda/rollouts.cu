// Control of a car by path integrals (MPPI), double: a thread a course, then one block for the least cost, the weights and their sum, and a
// block for each step of the controls.
#include "kernels.cuh"

constexpr int COURSES = 8192, STEPS = 64, SIDE = 256, ROUNDS = 4, THREADS = 64, MANY = 1024, WIDE = 256;
constexpr double DT = 0.1, CELL = 0.25, LENGTH = 2.7, HEAT = 6, GOALX = 50, GOALY = 45;

__global__ void __launch_bounds__(THREADS)
drive(int n, double sign, const double *__restrict__ map, const double *__restrict__ throttle,
      const double *__restrict__ wheel, const double *__restrict__ plan, double *__restrict__ cost)
{
    __shared__ double controls[2 * STEPS];
    for (int k = threadIdx.x; k < 2 * STEPS; k += THREADS)
        controls[k] = plan[k];
    __syncthreads();
    int c = blockIdx.x * THREADS + threadIdx.x;
    if (c >= n)
        return;
    double x = 4, y = 5, angle = 0.5, speed = 3, all = 0;
    for (int t = 0; t < STEPS; t++) {
        double push = controls[t] + sign * throttle[t * n + c], turn = controls[STEPS + t] + sign * wheel[t * n + c], sine, cosine;
        turn = fmin(fmax(turn, -0.5), 0.5);
        sincos(angle, &sine, &cosine);
        x += DT * speed * cosine;
        y += DT * speed * sine;
        angle += (DT / LENGTH) * speed * tan(turn);
        speed = fmin(fmax(speed + DT * push, 0.0), 15.0);
        double u = fmin(fmax(x * (1 / CELL), 0.0), SIDE - 1.001), v = fmin(fmax(y * (1 / CELL), 0.0), SIDE - 1.001);
        int i = (int)u, j = (int)v;
        double p = u - i, q = v - j;
        const double *m = map + j * SIDE + i;
        all += (1 - q) * ((1 - p) * m[0] + p * m[1]) + q * ((1 - p) * m[SIDE] + p * m[SIDE + 1]);
        all += 0.01 * push * push + 0.3 * turn * turn + 0.002 * ((x - GOALX) * (x - GOALX) + (y - GOALY) * (y - GOALY));
    }
    cost[c] = all;
}

// The result is in all threads.
template <int N, class Op> __device__ double over_block(double v, double *sums, Op op)
{
    for (int d = 16; d > 0; d /= 2)
        v = op(v, __shfl_xor_sync(0xffffffff, v, d));
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    v = sums[0];
    for (int k = 1; k < N / 32; k++)
        v = op(v, sums[k]);
    return v;
}

struct add {
    __device__ double operator()(double a, double b) const { return a + b; }
};

struct lesser {
    __device__ double operator()(double a, double b) const { return fmin(a, b); }
};

// results: the least cost, the sum of the weights
__global__ void __launch_bounds__(MANY)
weigh(int n, const double *__restrict__ cost, double *__restrict__ weight, double *__restrict__ results)
{
    __shared__ double sums[MANY / 32];
    double least = 1e300, total = 0;
    for (int c = threadIdx.x; c < n; c += MANY)
        least = fmin(least, cost[c]);
    least = over_block<MANY>(least, sums, lesser());
    for (int c = threadIdx.x; c < n; c += MANY) {
        double w = exp((least - cost[c]) * (1 / HEAT));
        weight[c] = w;
        total += w;
    }
    total = over_block<MANY>(total, sums, add());
    if (threadIdx.x == 0) {
        results[0] = least;
        results[1] = total;
    }
}

// Blocks from STEPS on are for the wheel.
__global__ void __launch_bounds__(WIDE)
update(int n, double sign, const double *__restrict__ throttle, const double *__restrict__ wheel,
       const double *__restrict__ weight, const double *__restrict__ results, double *__restrict__ plan)
{
    __shared__ double sums[WIDE / 32];
    int t = blockIdx.x;
    const double *noise = t < STEPS ? throttle + t * n : wheel + (t - STEPS) * n;
    double sum = 0;
    for (int c = threadIdx.x; c < n; c += WIDE)
        sum += weight[c] * noise[c];
    sum = over_block<WIDE>(sum, sums, add());
    if (threadIdx.x == 0)
        plan[t] += sign * sum / results[1];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COURSES >> args.shift;
    double *map = NEW(double, SIDE * SIDE), *throttle = NEW(double, STEPS * n), *wheel = NEW(double, STEPS * n);
    double *cost = NEW(double, n), plan[2 * STEPS], least = 0, sum = 0;
    for (int k = 0; k < SIDE * SIDE; k++)
        map[k] = 0;
    for (int b = 0; b < 24; b++)
        for (int k = 0; k < SIDE * SIDE; k++) {
            double dx = k % SIDE - 256 * number(b + 40), dy = k / SIDE - 256 * number(b + 80);
            map[k] += 4 * exp(-(dx * dx + dy * dy) / (100 + 300 * number(b)));
        }
    for (int k = 0; k < STEPS * n; k++) {
        throttle[k] = 3 * (number(4 * k) + number(4 * k + 1) - 1);
        wheel[k] = 0.4 * (number(4 * k + 2) + number(4 * k + 3) - 1);
    }
    double *dmap = on_device(map, SIDE * SIDE), *dthrottle = on_device(throttle, STEPS * n), *dwheel = on_device(wheel, STEPS * n);
    double *dcost = device<double>(n), *dweight = device<double>(n), *dplan = device<double>(2 * STEPS), *dresults = device<double>(2);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dplan, 0, sizeof plan));
        for (int round = 0; round < ROUNDS; round++) {
            double sign = round % 2 ? -1 : 1;
            drive<<<ceiling(n, THREADS), THREADS>>>(n, sign, dmap, dthrottle, dwheel, dplan, dcost);
            weigh<<<1, MANY>>>(n, dcost, dweight, dresults);
            update<<<2 * STEPS, WIDE>>>(n, sign, dthrottle, dwheel, dweight, dresults, dplan);
        }
        CHECK(cudaMemcpy(&least, dresults, sizeof least, cudaMemcpyDeviceToHost));
    });
    to_host(plan, dplan, 2 * STEPS);
    to_host(cost, dcost, n);
    for (int k = 0; k < STEPS; k++)
        sum += 100 * fabs(plan[k]) * (1 + k % 3) + 1000 * fabs(plan[STEPS + k]) * (1 + k % 5);
    for (int c = 0; c < n; c++)
        sum += cost[c] / n;
    report("rollouts", best, sum + least);
    return 0;
}
