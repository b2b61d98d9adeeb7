// A volume of 128^3 points from 90 X-ray pictures of 256 x 256, float: a thread a point, what is known of the pictures in constant memory.
#include "kernels.cuh"

constexpr int SIDE = 128, ANGLES = 90, WIDTH = 256;

__constant__ float matrices[ANGLES][12];

__device__ float pixel(const float *__restrict__ image, int row, int column)
{
    return (unsigned)row < WIDTH && (unsigned)column < WIDTH ? image[row * WIDTH + column] : 0;
}

__global__ void project_back(int n, const float *__restrict__ picture, float *__restrict__ volume)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i >= n || j >= n)
        return;
    float x = (2 * i + 1.0f) / n - 1, y = (2 * j + 1.0f) / n - 1, z = (2 * k + 1.0f) / n - 1, sum = 0;
#pragma unroll 2
    for (int p = 0; p < ANGLES; p++) {
        const float *m = matrices[p], *image = picture + p * WIDTH * WIDTH;
        float w = 1 / (m[8] * x + m[9] * y + m[10] * z + m[11]);
        float u = (m[0] * x + m[1] * y + m[2] * z + m[3]) * w, v = (m[4] * x + m[5] * y + m[6] * z + m[7]) * w;
        float left = floorf(u), top = floorf(v);
        int column = (int)left, row = (int)top;
        float right = u - left, below = v - top;
        float a = pixel(image, row, column), b = pixel(image, row, column + 1);
        float c = pixel(image, row + 1, column), d = pixel(image, row + 1, column + 1);
        float upper = a + right * (b - a), lower = c + right * (d - c);
        sum += w * w * (upper + below * (lower - upper));
    }
    volume[(k * n + j) * n + i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, points = n * n * n, pixels = ANGLES * WIDTH * WIDTH;
    float *matrix = NEW(float, 12 * ANGLES), *picture = NEW(float, pixels), *volume = NEW(float, points);
    double sum = 0;
    for (int p = 0; p < ANGLES; p++) {
        double angle = 2 * 3.14159265358979323846 * p / ANGLES, c = cos(angle), s = sin(angle), middle = (WIDTH - 1) / 2.0, scale = 90;
        double depth[4] = {-c / 4, -s / 4, 0, 1}, across[4] = {-s, c, 0, 0}, up[4] = {0, 0, 1, 0};
        for (int k = 0; k < 4; k++) {
            matrix[12 * p + k] = middle * depth[k] + scale * across[k];
            matrix[12 * p + 4 + k] = middle * depth[k] + scale * up[k];
            matrix[12 * p + 8 + k] = depth[k];
        }
    }
    FILL(picture, pixels, 1);
    CHECK(cudaMemcpyToSymbol(matrices, matrix, sizeof matrices));
    float *dpicture = on_device(picture, pixels), *dvolume = device<float>(points);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8), n);
    double best = fastest(args.repeats, [&] { project_back<<<grid, block>>>(n, dpicture, dvolume); });
    to_host(volume, dvolume, points);
    SUM(sum, volume, points);
    report("tomography", best, sum);
    return 0;
}
