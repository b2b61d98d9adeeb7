// Velocities of seismic waves from a gather: a thread a time and velocity, with times along the lanes so that
// neighbours read side by side; then a block a time, a thread a velocity: the window, and the best by shuffles.
#include "kernels.cuh"

constexpr int TRACES = 96, SAMPLES = 2000, VELOCITIES = 128, HALF = 5;
constexpr float DT = 0.004f, SLOWEST = 1500, APART = 25, SPACING = 50;

__global__ void stack(int times, const float *__restrict__ gather, float *__restrict__ over, float *__restrict__ under)
{
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    __shared__ float overs[32][9], unders[32][9];
    float t2 = i * DT * (i * DT), v = SLOWEST + j * APART, slow2 = 1 / (v * v), sum = 0, energy = 0;
    if (i < times)
        for (int k = 0; k < TRACES; k++) {
            float x = (k + 1) * SPACING, at = sqrtf(t2 + x * x * slow2) / DT;
            int first = (int)at;
            if (first < SAMPLES - 1) {
                float part = at - first,
                      value = (1 - part) * gather[k * SAMPLES + first] + part * gather[k * SAMPLES + first + 1];
                sum += value;
                energy += value * value;
            }
        }
    overs[threadIdx.x][threadIdx.y] = sum * sum;
    unders[threadIdx.x][threadIdx.y] = energy;
    __syncthreads();
    int thread = threadIdx.y * 32 + threadIdx.x, row = thread / 8, column = thread % 8, at = blockIdx.x * 32 + row;
    if (at < times) {
        over[at * VELOCITIES + blockIdx.y * 8 + column] = overs[row][column];
        under[at * VELOCITIES + blockIdx.y * 8 + column] = unders[row][column];
    }
}

__global__ void pick(int times, const float *__restrict__ over, const float *__restrict__ under,
                     float *__restrict__ coherence, int *__restrict__ best)
{
    __shared__ float most[VELOCITIES / 32];
    __shared__ int places[VELOCITIES / 32];
    int i = blockIdx.x, j = threadIdx.x, place = j;
    float o = 0, u = 1e-6f;
    for (int w = max(0, i - HALF); w <= min(times - 1, i + HALF); w++) {
        o += over[w * VELOCITIES + j];
        u += under[w * VELOCITIES + j];
    }
    float s = o / (TRACES * u);
    coherence[i * VELOCITIES + j] = s;
    for (int d = 16; d > 0; d /= 2) {
        float other = __shfl_down_sync(0xffffffff, s, d);
        int there = __shfl_down_sync(0xffffffff, place, d);
        if (other > s || (other == s && there < place)) {
            s = other;
            place = there;
        }
    }
    if (j % 32 == 0) {
        most[j / 32] = s;
        places[j / 32] = place;
    }
    __syncthreads();
    if (j == 0) {
        for (int w = 1; w < VELOCITIES / 32; w++)
            if (most[w] > s) {
                s = most[w];
                place = places[w];
            }
        best[i] = place;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int times = 1000 >> args.shift, all = times * VELOCITIES, *best = NEW(int, times);
    float *gather = NEW(float, TRACES * SAMPLES), *coherence = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < TRACES * SAMPLES; k++)
        gather[k] = 0.2 * sin(0.21 * k + 3 * number(k / 64)) + 0.2 * sin(0.034 * k);
    for (int r = 0; r < 40; r++)
        for (int k = 0; k < TRACES; k++) {
            double t0 = 0.1 * r, v = 1600 + 55 * r, x = (k + 1) * SPACING, at = sqrt(t0 * t0 + x * x / (v * v)) / DT;
            for (int s = (int)at - 10; s <= (int)at + 10; s++)
                if (s >= 0 && s < SAMPLES)
                    gather[k * SAMPLES + s] += (1 - 0.1 * (s - at) * (s - at)) * exp(-0.05 * (s - at) * (s - at));
        }
    float *dgather = on_device(gather, TRACES * SAMPLES), *over = device<float>(all), *under = device<float>(all),
          *dcoherence = device<float>(all);
    int *dbest = device<int>(times);
    dim3 block(32, 8), grid(ceiling(times, 32), VELOCITIES / 8);
    double shortest = fastest(args.repeats, [&] {
        stack<<<grid, block>>>(times, dgather, over, under);
        pick<<<times, VELOCITIES>>>(times, over, under, dcoherence, dbest);
    });
    to_host(coherence, dcoherence, all);
    to_host(best, dbest, times);
    for (int k = 0; k < all; k++)
        sum += coherence[k] * (1 + k % 3);
    for (int i = 0; i < times; i++)
        sum += coherence[i * VELOCITIES + best[i]];
    report("semblance", shortest, sum);
    return 0;
}
