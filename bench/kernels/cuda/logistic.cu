// Ten steps of gradient descent for a logistic regression of 2^16 samples with 64 numbers each, double: a warp a sample, two numbers a lane, so that
// each is read once a step for both the error and the slopes, which a block adds up in shared memory and then atomically.
#include "kernels.cuh"

constexpr int SAMPLES = 1 << 16, FEATURES = 64, STEPS = 10, THREADS = 256, WARPS = THREADS / 32, BLOCKS = 132 * 4;
constexpr double RATE = 2, DECAY = 1e-3;

// Slopes and, after them, the loss.
__global__ void __launch_bounds__(THREADS) gradient(int n, const double2 *__restrict__ x, const double *__restrict__ label,
                                                    const double2 *__restrict__ weight, double *__restrict__ slope)
{
    __shared__ double2 part[WARPS][32];
    __shared__ double losses[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double2 w = weight[lane], mine = {0, 0};
    double loss = 0;
    for (int i = blockIdx.x * WARPS + warp; i < n; i += gridDim.x * WARPS) {
        double2 v = x[i * 32 + lane];
        double z = v.x * w.x + v.y * w.y, y = label[i];
        for (int s = 16; s > 0; s /= 2)
            z += __shfl_xor_sync(0xffffffffu, z, s);
        double p = 1 / (1 + exp(-z)), e = p - y;
        mine.x += e * v.x;
        mine.y += e * v.y;
        if (lane == 0)
            loss -= log(y > 0 ? p : 1 - p);
    }
    part[warp][lane] = mine;
    if (lane == 0)
        losses[warp] = loss;
    __syncthreads();
    if (threadIdx.x < FEATURES) {
        double sum = 0;
        for (int k = 0; k < WARPS; k++)
            sum += threadIdx.x % 2 ? part[k][threadIdx.x / 2].y : part[k][threadIdx.x / 2].x;
        atomicAdd(&slope[threadIdx.x], sum);
    } else if (threadIdx.x == FEATURES) {
        double sum = 0;
        for (int k = 0; k < WARPS; k++)
            sum += losses[k];
        atomicAdd(&slope[FEATURES], sum);
    }
}

__global__ void update(int n, double *__restrict__ weight, double *__restrict__ slope, double *__restrict__ loss)
{
    int j = threadIdx.x;
    if (j < FEATURES)
        weight[j] -= RATE * (slope[j] / n + DECAY * weight[j]);
    else
        *loss = slope[j] / n;
    slope[j] = 0;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift;
    double *x = NEW(double, n * FEATURES), *label = NEW(double, n), *weight = NEW(double, FEATURES), loss = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double z = 0;
        for (int j = 0; j < FEATURES; j++) {
            x[i * FEATURES + j] = 2 * number(i * FEATURES + j) - 1;
            z += x[i * FEATURES + j] * (j % 5 - 1.5);
        }
        label[i] = z + 4 * (number(i + 12345) - 0.5) > 0;
    }
    double *dx = on_device(x, n * FEATURES), *dlabel = on_device(label, n), *dweight = device<double>(FEATURES);
    double *dslope = device<double>(FEATURES + 1), *dloss = device<double>(1);
    int blocks = ceiling(n, WARPS) < BLOCKS ? ceiling(n, WARPS) : BLOCKS;
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dweight, 0, FEATURES * sizeof(double)));
        CHECK(cudaMemsetAsync(dslope, 0, (FEATURES + 1) * sizeof(double)));
        for (int step = 0; step < STEPS; step++) {
            gradient<<<blocks, THREADS>>>(n, (const double2 *)dx, dlabel, (const double2 *)dweight, dslope);
            update<<<1, FEATURES + 1>>>(n, dweight, dslope, dloss);
        }
        CHECK(cudaMemcpy(&loss, dloss, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(weight, dweight, FEATURES);
    for (int j = 0; j < FEATURES; j++)
        sum += (j + 1) * fabs(weight[j]);
    report("logistic", best, sum + 100 * loss);
    return 0;
}
