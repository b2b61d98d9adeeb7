// A step of a plasma in 2048 x 2048 points of place and velocity, double; a thread a point for the cubic interpolations, a block a place for
// the sums of charges and the field.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 2048;
constexpr double TURN = 6.283185307179586, FASTEST = 6, DT = 0.1;

struct weights {
    double w[4];
    __device__ weights(double a)
        : w{-a * (a - 1) * (a - 2) / 6, (a * a - 1) * (a - 2) / 2, -a * (a + 1) * (a - 2) / 2, a * (a * a - 1) / 6}
    {
    }
};

__global__ void move(int n, const double *__restrict__ f, double *__restrict__ g)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n)
        return;
    double way = i - (-FASTEST + (j + 0.5) * (2 * FASTEST / n)) * DT / (2 * TURN / n), from = floor(way), sum = 0;
    weights own(way - from);
    int b = (int)from - 1;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int p = b + k;
        p += p < 0 ? n : p >= n ? -n : 0;
        sum += own.w[k] * f[p * n + j];
    }
    g[i * n + j] = sum;
}

__global__ void charges(int n, const double *__restrict__ g, double *__restrict__ charge)
{
    double sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += g[blockIdx.x * n + j];
    sum = block_reduce(sum, 0.0, [](double a, double b) { return a + b; });
    if (threadIdx.x == 0)
        charge[blockIdx.x] = 1 - sum * (2 * FASTEST / n);
}

__global__ void fields(int n, const double *__restrict__ green, const double *__restrict__ charge, double *__restrict__ field)
{
    double sum = 0;
    int i = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        sum += green[i - k + (i < k ? n : 0)] * charge[k];
    sum = block_reduce(sum, 0.0, [](double a, double b) { return a + b; });
    if (threadIdx.x == 0)
        field[i] = sum * (2 * TURN / n);
}

__global__ void push(int n, const double *__restrict__ g, const double *__restrict__ field, double *__restrict__ f)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n)
        return;
    double way = j + field[i] * DT / (2 * FASTEST / n), from = floor(way), sum = 0;
    weights own(way - from);
    int b = (int)from - 1;
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (b + k >= 0 && b + k < n)
            sum += own.w[k] * g[i * n + b + k];
    f[i * n + j] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double *f = NEW(double, n * n), *green = NEW(double, n), *field = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++)
        green[i] = i ? 0.5 - (double)i / n : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double v = -FASTEST + (j + 0.5) * 2 * FASTEST / n;
            f[i * n + j] = v * v * exp(-v * v / 2) / sqrt(TURN) * (1 + 0.05 * cos(TURN * i / n));
        }
    double *df = on_device(f, n * n), *dg = device<double>(n * n), *dgreen = on_device(green, n), *dcharge = device<double>(n),
           *dfield = device<double>(n);
    dim3 grid(ceiling(n, 256), n);
    double best = fastest(args.repeats, [&] {
        move<<<grid, 256>>>(n, df, dg);
        charges<<<n, 256>>>(n, dg, dcharge);
        fields<<<n, 256>>>(n, dgreen, dcharge, dfield);
        push<<<grid, 256>>>(n, dg, dfield, df);
    });
    to_host(f, df, n * n);
    to_host(field, dfield, n);
    for (int k = 0; k < n * n; k++)
        sum += f[k] * (1 + k % 7);
    for (int i = 0; i < n; i++)
        sum += 1000 * fabs(field[i]);
    report("vlasov", best, sum);
    return 0;
}
