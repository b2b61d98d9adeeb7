// Covariance of 512 variables in 1024 observations, double: means, deviations, products of all pairs, a thread a pair.
#include "kernels.cuh"

__global__ void means(int m, int n, const double *__restrict__ data, double *__restrict__ mean)
{
    // Columns over x, observations over y, whose sums meet in shared memory.
    __shared__ double part[16][33];
    int j = blockIdx.x * 32 + threadIdx.x;
    double s = 0;
    if (j < m)
        for (int i = threadIdx.y; i < n; i += 16)
            s += data[i * m + j];
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && j < m) {
        for (int k = 1; k < 16; k++)
            s += part[k][threadIdx.x];
        mean[j] = s / n;
    }
}

__global__ void deviations(int m, int n, const double *__restrict__ data, const double *__restrict__ mean,
                           double *__restrict__ d)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m)
        d[i * m + j] = data[i * m + j] - mean[j];
}

__global__ void products(int m, int n, const double *__restrict__ d, double *__restrict__ c)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y;
    if (p >= m || q >= m || q < p)
        return;
    double s = 0;
#pragma unroll 8
    for (int i = 0; i < n; i++)
        s += d[i * m + p] * d[i * m + q];
    c[p * m + q] = c[q * m + p] = s / (n - 1);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = 512 >> args.shift, n = 1024 >> args.shift;
    double *data = NEW(double, n *m), *c = NEW(double, m *m), sum = 0;
    FILL(data, n * m, 1);
    double *ddata = on_device(data, n * m), *dmean = device<double>(m), *dd = device<double>(n * m);
    double *dc = device<double>(m * m);
    dim3 threads(32, 8);
    double best = fastest(args.repeats, [&] {
        means<<<ceiling(m, 32), dim3(32, 16)>>>(m, n, ddata, dmean);
        deviations<<<dim3(ceiling(m, 32), ceiling(n, 8)), threads>>>(m, n, ddata, dmean, dd);
        products<<<dim3(ceiling(m, 32), ceiling(m, 8)), threads>>>(m, n, dd, dc);
    });
    to_host(c, dc, m * m);
    for (int k = 0; k < m * m; k++)
        sum += fabs(c[k]);
    report("covariance", best, sum);
    return 0;
}
