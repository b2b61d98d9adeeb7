// Diffusion that takes speckle out of an image, float, 2048 × 2048: sums of the image, which stay on the device,
// coefficients, update; a thread a point.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void statistics(int all, const float4 *__restrict__ image, double *sums)
{
    double sum = 0, sum2 = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < all / 4; k += gridDim.x * blockDim.x) {
        float4 v = image[k];
        sum += v.x, sum2 += v.x * v.x;
        sum += v.y, sum2 += v.y * v.y;
        sum += v.z, sum2 += v.z * v.z;
        sum += v.w, sum2 += v.w * v.w;
    }
    sum = block_reduce(sum, 0.0, [](double p, double q) { return p + q; });
    sum2 = block_reduce(sum2, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0) {
        atomicAdd(&sums[0], sum);
        atomicAdd(&sums[1], sum2);
    }
}

__global__ void coefficients(int rows, int columns, const double *__restrict__ sums, const float *__restrict__ image,
                             float *__restrict__ c, float *__restrict__ dn, float *__restrict__ ds,
                             float *__restrict__ dw, float *__restrict__ de)
{
    __shared__ float q0;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        double size = (double)rows * columns, mean = sums[0] / size, variance = sums[1] / size - mean * mean;
        q0 = (float)(variance / (mean * mean));
    }
    __syncthreads();
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    int k = i * columns + j;
    float here = image[k];
    float n = image[i == 0 ? k : k - columns] - here, s = image[i == rows - 1 ? k : k + columns] - here;
    float w = image[j == 0 ? k : k - 1] - here, e = image[j == columns - 1 ? k : k + 1] - here;
    float g2 = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
    float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l, q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    dn[k] = n;
    ds[k] = s;
    dw[k] = w;
    de[k] = e;
    c[k] = fminf(fmaxf(1.0f / (1.0f + den), 0.0f), 1.0f);
}

__global__ void update(int rows, int columns, float lambda, const float *__restrict__ c, const float *__restrict__ dn,
                       const float *__restrict__ ds, const float *__restrict__ dw, const float *__restrict__ de,
                       float *__restrict__ image)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    int k = i * columns + j;
    float here = c[k], cs = c[i == rows - 1 ? k : k + columns], ce = c[j == columns - 1 ? k : k + 1];
    float d = here * dn[k] + cs * ds[k] + here * dw[k] + ce * de[k];
    image[k] += 0.25f * lambda * d;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n, few = full_grid(statistics, 256);
    float *image = NEW(float, all);
    double sum = 0, *sums = device<double>(2);
    for (int k = 0; k < all; k++)
        image[k] = (float)exp(number(k));
    float *dimage = on_device(image, all), *c = device<float>(all);
    float *dn = device<float>(all), *ds = device<float>(all), *dw = device<float>(all), *de = device<float>(all);
    dim3 threads(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(sums, 0, 2 * sizeof(double)));
        statistics<<<few, 256>>>(all, reinterpret_cast<float4 *>(dimage), sums);
        coefficients<<<grid, threads>>>(n, n, sums, dimage, c, dn, ds, dw, de);
        update<<<grid, threads>>>(n, n, 0.5f, c, dn, ds, dw, de, dimage);
    });
    to_host(image, dimage, all);
    for (int k = 0; k < all; k++)
        sum += image[k] * (1 + k % 7);
    report("srad", best, sum);
    return 0;
}
