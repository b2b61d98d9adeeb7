// An ultrasonic picture of 512 x 512 points, float, from one plane wave by delay and sum over 128 receivers; a thread a point, in blocks of
// 32 x 8.
#include "kernels.cuh"

constexpr int SIDE = 512, CHANNELS = 128, SAMPLES = 2048;
constexpr float PITCH = 3e-4f, SPEED = 1540, RATE = 31.25e6f, DEEP = 0.04f, NUMBER = 1.5f;

__global__ void beamform(int side, const float *__restrict__ signal, float *__restrict__ image)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= side || j >= side)
        return;
    float z = 0.005f + DEEP * i / side, x = CHANNELS * PITCH * ((j + 0.5f) / side - 0.5f), narrow = 2 * NUMBER / z, sum = 0, weights = 0;
    for (int c = 0; c < CHANNELS; c++) {
        float aside = x - PITCH * (c - 0.5f * (CHANNELS - 1)), u = narrow * fabsf(aside);
        if (u >= 1)
            continue;
        float when = (z + sqrtf(z * z + aside * aside)) * (RATE / SPEED);
        int before = (int)when;
        if (before >= SAMPLES - 1)
            continue;
        float part = when - before, weight = 0.5f + 0.5f * cospif(u);
        const float *trace = signal + c * SAMPLES + before;
        sum += weight * ((1 - part) * trace[0] + part * trace[1]);
        weights += weight;
    }
    image[i * side + j] = weights > 0 ? sum / weights : 0;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 1) / 2;
    float *signal = NEW(float, CHANNELS * SAMPLES), *image = NEW(float, side * side);
    double sum = 0;
    for (int c = 0; c < CHANNELS; c++)
        for (int k = 0; k < SAMPLES; k++)
            signal[c * SAMPLES + k] = 1 + sinf(0.05f * k + 0.1f * c) + 0.2f * number(c * SAMPLES + k);
    float *dsignal = on_device(signal, CHANNELS * SAMPLES), *dimage = device<float>(side * side);
    dim3 block(32, 8), grid(ceiling(side, 32), ceiling(side, 8));
    double best = fastest(args.repeats, [&] { beamform<<<grid, block>>>(side, dsignal, dimage); });
    to_host(image, dimage, side * side);
    SUM(sum, image, side * side);
    report("beamform", best, sum);
    return 0;
}
