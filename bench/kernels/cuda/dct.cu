// Discrete cosine transforms of the 8 x 8 blocks of an image of 2048 x 2048 floats: along the rows of a block, then along its
// columns; 64 threads for each, four in a block of threads, the half-done block in shared memory.
#include "kernels.cuh"

constexpr int B = 8;

__global__ void transform(int n, const float *__restrict__ basis, const float *__restrict__ image, float *__restrict__ out)
{
    __shared__ float half[4][B][B];
    int u = threadIdx.x, y = threadIdx.y, z = threadIdx.z, bx = (blockIdx.x * 4 + z) * B, by = blockIdx.y * B;
    float sum = 0;
#pragma unroll
    for (int x = 0; x < B; x++)
        sum += image[(by + y) * n + bx + x] * basis[u * B + x];
    half[z][y][u] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < B; k++)
        sum += half[z][k][u] * basis[y * B + k];
    out[(by + y) * n + bx + u] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift / 2;
    float *image = NEW(float, n *n), *out = NEW(float, n *n), basis[B * B];
    double sum = 0;
    FILL(image, n * n, 255);
    for (int k = 0; k < B * B; k++)
        basis[k] = (float)(cos(3.141592653589793 * (k % B + 0.5) * (k / B) / B) * (k / B ? 0.5 : sqrt(0.125)));
    float *dimage = on_device(image, n * n), *dbasis = on_device(basis, B * B), *dout = device<float>(n * n);
    dim3 grid(n / B / 4, n / B), block(B, B, 4);
    double best = fastest(args.repeats, [&] { transform<<<grid, block>>>(n, dbasis, dimage, dout); });
    to_host(out, dout, n * n);
    for (int k = 0; k < n * n; k++)
        sum += fabs(out[k]);
    report("dct", best, sum);
    return 0;
}
