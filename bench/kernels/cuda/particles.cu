// Resampling of 100000 particles by their weights: a thread for each.
#include "kernels.cuh"

constexpr int PARTICLES = 100000, SIZE = 512, AROUND = 3;

__global__ void weigh(int n, const float *__restrict__ x, const float *__restrict__ y, const unsigned char *__restrict__ image,
                      double *__restrict__ weight, double *__restrict__ total)
{
    __shared__ double part[8];
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;
    if (k < n) {
        int cx = (int)roundf(x[k]), cy = (int)roundf(y[k]);
        double likelihood = 0;
#pragma unroll
        for (int dy = -AROUND; dy <= AROUND; dy++)
#pragma unroll
            for (int dx = -AROUND; dx <= AROUND; dx++) {
                double pixel = image[(cy + dy) * SIZE + cx + dx];
                likelihood += ((pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228)) / 50.0;
            }
        weight[k] = mine = exp(likelihood / 49 / 1000);
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            mine += part[w];
        atomicAdd(total, mine);
    }
}

__global__ void choose(int n, const double *__restrict__ running, double total, const float *__restrict__ x, const float *__restrict__ y,
                       float *__restrict__ nx, float *__restrict__ ny)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    double at = total * (k + 0.5) / n;
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (running[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    nx[k] = x[low];
    ny[k] = y[low];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *nx = NEW(float, n), *ny = NEW(float, n);
    unsigned char *image = NEW(unsigned char, SIZE *SIZE);
    double *running = NEW(double, n), total = 0, sum = 0;
    for (int k = 0; k < SIZE * SIZE; k++)
        image[k] = 90 + mix(k) % 60;
    for (int k = 0; k < n; k++) {
        x[k] = 10 + (SIZE - 20) * number(k);
        y[k] = 10 + (SIZE - 20) * number(2 * k + 1);
        sum += 0.1 + number(k);
        running[k] = sum;
    }
    float *dx = on_device(x, n), *dy = on_device(y, n), *dnx = device<float>(n), *dny = device<float>(n);
    unsigned char *dimage = on_device(image, SIZE * SIZE);
    double *drunning = on_device(running, n), *dweight = device<double>(n), *dtotal = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(double)));
        weigh<<<ceiling(n, 256), 256>>>(n, dx, dy, dimage, dweight, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof(double), cudaMemcpyDeviceToHost));
        choose<<<ceiling(n, 256), 256>>>(n, drunning, running[n - 1], dx, dy, dnx, dny);
    });
    to_host(nx, dnx, n);
    to_host(ny, dny, n);
    SUM(total, nx, n);
    SUM(total, ny, n);
    report("particles", best, total);
    return 0;
}
