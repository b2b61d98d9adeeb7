// An ultrasonic picture of 512 x 512 points, float, from one plane wave by delay and sum: for each point and each of 128 receivers the time of
// the echo, the signal between two of its 2048 samples, and a weight that falls off to the sides of the aperture.
#include "../kernels.h"

enum { SIDE = 512, CHANNELS = 128, SAMPLES = 2048 };
// Metres and seconds.
static const float PITCH = 3e-4f, SPEED = 1540, RATE = 31.25e6f, DEEP = 0.04f, NUMBER = 1.5f;

#if SPELLING == 1
static void beamform(int side, const float *restrict signal, float *restrict image)
{
    float wide = CHANNELS * PITCH;
#pragma acc parallel loop collapse(2) present(signal[0:CHANNELS * SAMPLES], image[0:side * side])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            float z = 0.005f + DEEP * i / side, x = wide * ((j + 0.5f) / side - 0.5f), sum = 0, weights = 0;
            for (int c = 0; c < CHANNELS; c++) {
                float aside = x - PITCH * (c - 0.5f * (CHANNELS - 1)), u = 2 * NUMBER * fabsf(aside) / z;
                if (u >= 1)
                    continue;
                float when = (z + sqrtf(z * z + aside * aside)) / SPEED * RATE;
                int before = (int)when;
                if (before >= SAMPLES - 1)
                    continue;
                float part = when - before, weight = 0.5f + 0.5f * cosf((float)M_PI * u);
                sum += weight * ((1 - part) * signal[c * SAMPLES + before] + part * signal[c * SAMPLES + before + 1]);
                weights += weight;
            }
            image[i * side + j] = weights > 0 ? sum / weights : 0;
        }
}
#else
typedef struct { float x, z; } point;

#define LERP(a, b, t) ((a) + (t) * ((b) - (a)))

#pragma acc routine seq
static float window(float u) { return u < 1.0f ? 0.5f * (1.0f + cosf(3.14159265f * u)) : 0.0f; }

#pragma acc routine seq
static float sample(const float *trace, float when)
{
    const unsigned at = (unsigned)when;
    return at + 1 < SAMPLES ? LERP(trace[at], trace[at + 1], when - (float)at) : 0.0f;
}

#pragma acc routine seq
static float distance(point p, point q) { return sqrtf((p.x - q.x) * (p.x - q.x) + (p.z - q.z) * (p.z - q.z)); }

static void beamform(unsigned side, float (*signal)[SAMPLES], float *image)
{
    const float wide = CHANNELS * PITCH, each = RATE / SPEED;
#pragma acc kernels present(signal[0:CHANNELS], image[0:side * side])
    {
#pragma acc loop independent gang worker
#pragma omp parallel for
        for (unsigned i = 0; i < side; ++i)
#pragma acc loop independent vector
            for (unsigned j = 0; j < side; ++j) {
                const point here = {wide * ((j + 0.5f) / side - 0.5f), 0.005f + DEEP * i / side};
                float sum = 0.0f, weights = 0.0f;
                point receiver = {-PITCH * 0.5f * (CHANNELS - 1), 0.0f};
                for (const float *trace = *signal; trace < *signal + CHANNELS * SAMPLES; trace += SAMPLES, receiver.x += PITCH) {
                    const float w = window(2 * NUMBER * fabsf(here.x - receiver.x) / here.z);
                    if (w > 0.0f) {
                        sum += w * sample(trace, (here.z + distance(here, receiver)) * each);
                        weights += w;
                    }
                }
                image[i * side + j] = weights > 0.0f ? sum / weights : 0.0f;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 1) / 2;
    float *signal = NEW(float, CHANNELS *SAMPLES), *image = NEW(float, side *side);
    double sum = 0;
    for (int c = 0; c < CHANNELS; c++)
        for (int k = 0; k < SAMPLES; k++)
            signal[c * SAMPLES + k] = 1 + sinf(0.05f * k + 0.1f * c) + 0.2f * number(c * SAMPLES + k);
#pragma acc enter data copyin(signal[0:CHANNELS * SAMPLES]) create(image[0:side * side])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        beamform(side, signal, image);
#else
        beamform(side, (float(*)[SAMPLES])signal, image);
#endif
    }
#pragma acc update self(image[0:side * side])
    SUM(sum, image, side * side);
    report("beamform", t.best, sum);
    return 0;
}
