// Where white blood cells may be in a picture of 640 x 480, float: a thread a point, the circles in constant memory, sums and sums of squares in
// one pass.
#include "kernels.cuh"

constexpr int CIRCLES = 7, POINTS = 150, LEAST = 10, STEP = 2, MARGIN = LEAST + STEP * CIRCLES + 2;

__constant__ float sines[POINTS], cosines[POINTS];
__constant__ int tx[CIRCLES * POINTS], ty[CIRCLES * POINTS];

__global__ void gicov(int width, int height, const float *__restrict__ gx, const float *__restrict__ gy, float *__restrict__ score)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + MARGIN, y = blockIdx.y * blockDim.y + threadIdx.y + MARGIN;
    if (x >= width - MARGIN || y >= height - MARGIN)
        return;
    float most = 0;
    for (int k = 0; k < CIRCLES; k++) {
        float sum = 0, squares = 0;
#pragma unroll 5
        for (int n = 0; n < POINTS; n++) {
            int at = (y + ty[k * POINTS + n]) * width + x + tx[k * POINTS + n];
            float gradient = gx[at] * cosines[n] + gy[at] * sines[n];
            sum += gradient;
            squares += gradient * gradient;
        }
        float mean = sum / POINTS, variance = (squares - sum * mean) / (POINTS - 1);
        most = fmaxf(most, mean * mean / variance);
    }
    score[y * width + x] = most;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int width = 640 >> args.shift / 3, height = 480 >> args.shift / 3, all = width * height, x[CIRCLES * POINTS], y[CIRCLES * POINTS];
    float *gx = NEW(float, all), *gy = NEW(float, all), *score = (float *)calloc(all, sizeof(float)), sine[POINTS], cosine[POINTS];
    double sum = 0;
    for (int n = 0; n < POINTS; n++) {
        double angle = 2 * M_PI * n / POINTS;
        sine[n] = sin(angle);
        cosine[n] = cos(angle);
        for (int k = 0; k < CIRCLES; k++) {
            x[k * POINTS + n] = (int)((LEAST + STEP * k) * cos(angle) + 50.5) - 50;
            y[k * POINTS + n] = (int)((LEAST + STEP * k) * sin(angle) + 50.5) - 50;
        }
    }
    for (int k = 0; k < all; k++) {
        gx[k] = number(k) - 0.5f;
        gy[k] = number(k + 1) - 0.5f;
    }
    CHECK(cudaMemcpyToSymbol(sines, sine, sizeof sine));
    CHECK(cudaMemcpyToSymbol(cosines, cosine, sizeof cosine));
    CHECK(cudaMemcpyToSymbol(tx, x, sizeof x));
    CHECK(cudaMemcpyToSymbol(ty, y, sizeof y));
    float *dgx = on_device(gx, all), *dgy = on_device(gy, all), *dscore = on_device(score, all);
    dim3 block(32, 8), grid(ceiling(width - 2 * MARGIN, 32), ceiling(height - 2 * MARGIN, 8));
    double best = fastest(args.repeats, [&] { gicov<<<grid, block>>>(width, height, dgx, dgy, dscore); });
    to_host(score, dscore, all);
    SUM(sum, score, all);
    report("gicov", best, sum);
    return 0;
}
