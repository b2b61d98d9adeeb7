// 20 steps of conjugate gradients for a five-point matrix of 512 x 512 unknowns, double: three kernels to a step, sums by shuffles and an
// atomic addition for each block, whose numbers come to the host.
#include "kernels.cuh"

constexpr int SIDE = 512, STEPS = 20;

__device__ void add(double x, double *total)
{
    __shared__ double part[8];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (t % 32 == 0)
        part[t / 32] = x;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++)
            x += part[w];
        atomicAdd(total, x);
    }
}

__global__ void begin(int n, double *__restrict__ x, double *__restrict__ r, double *__restrict__ p, const double *__restrict__ b, double *rr)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? b[i] : 0;
    if (i < n)
        x[i] = 0, r[i] = p[i] = v;
    add(v * v, rr);
}

__global__ void product(int s, const double *__restrict__ p, double *__restrict__ q, double *pq)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, k = i * s + j;
    double mine = 0;
    if (i < s && j < s) {
        double sum = 4.1 * p[k];
        if (i > 0)
            sum -= p[k - s];
        if (i < s - 1)
            sum -= p[k + s];
        if (j > 0)
            sum -= p[k - 1];
        if (j < s - 1)
            sum -= p[k + 1];
        q[k] = sum;
        mine = sum * p[k];
    }
    add(mine, pq);
}

__global__ void forward(int n, double alpha, double *__restrict__ x, double *__restrict__ r, const double *__restrict__ p,
                        const double *__restrict__ q, double *rr)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = 0;
    if (i < n) {
        x[i] += alpha * p[i];
        r[i] = v = r[i] - alpha * q[i];
    }
    add(v * v, rr);
}

__global__ void direction(int n, double beta, const double *__restrict__ r, double *__restrict__ p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = r[i] + beta * p[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int s = SIDE >> args.shift / 2, n = s * s;
    double *x = NEW(double, n), *b = NEW(double, n), sum = 0, left = 0;
    FILL(b, n, 1);
    double *db = on_device(b, n), *dx = device<double>(n), *dr = device<double>(n), *dp = device<double>(n), *dq = device<double>(n),
           *total = device<double>(1);
    auto number_of = [&](auto launch) {
        double value;
        CHECK(cudaMemsetAsync(total, 0, sizeof(double)));
        launch();
        CHECK(cudaMemcpy(&value, total, sizeof(double), cudaMemcpyDeviceToHost));
        return value;
    };
    dim3 block(32, 8), grid(ceiling(s, 32), ceiling(s, 8));
    int blocks = ceiling(n, 256);
    double best = fastest(args.repeats, [&] {
        double rr = number_of([&] { begin<<<blocks, 256>>>(n, dx, dr, dp, db, total); });
        for (int step = 0; step < STEPS; step++) {
            double pq = number_of([&] { product<<<grid, block>>>(s, dp, dq, total); }), alpha = rr / pq;
            double next = number_of([&] { forward<<<blocks, 256>>>(n, alpha, dx, dr, dp, dq, total); }), beta = next / rr;
            rr = next;
            direction<<<blocks, 256>>>(n, beta, dr, dp);
        }
        left = rr;
    });
    to_host(x, dx, n);
    SUM(sum, x, n);
    report("cg", best, sum + left);
    return 0;
}
