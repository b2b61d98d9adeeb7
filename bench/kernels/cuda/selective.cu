// A selective state space (Mamba), float: four lanes share a channel with four states each in registers, 32 channels a
// block; what 16 tokens at a time say to all channels is in shared memory.
#include "kernels.cuh"

constexpr int STATES = 16, LANES = 4, OWN = STATES / LANES, CHUNK = 16, WIDTH = 32, THREADS = WIDTH * LANES;

__global__ void scan(int tokens, int channels, const float *__restrict__ x, const float *__restrict__ delta,
                     const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c,
                     const float *__restrict__ d, const float *__restrict__ z, const float *__restrict__ bias,
                     float *__restrict__ y)
{
    __shared__ float bs[CHUNK][STATES], cs[CHUNK][STATES], xs[CHUNK][WIDTH], dts[CHUNK][WIDTH], ys[CHUNK][WIDTH];
    int local = threadIdx.x / LANES, part = threadIdx.x % LANES, first = blockIdx.x * WIDTH,
        h = min(first + local, channels - 1);
    float state[OWN] = {}, decay[OWN], through = d[h];
#pragma unroll
    for (int k = 0; k < OWN; k++)
        decay[k] = a[h * STATES + part * OWN + k];
    for (int begin = 0; begin < tokens; begin += CHUNK) {
        long base = (long)blockIdx.y * tokens + begin;
        for (int k = threadIdx.x; k < CHUNK * STATES; k += THREADS) {
            bs[k / STATES][k % STATES] = b[base * STATES + k];
            cs[k / STATES][k % STATES] = c[base * STATES + k];
        }
        for (int k = threadIdx.x; k < CHUNK * WIDTH; k += THREADS) {
            int t = k / WIDTH, i = k % WIDTH, channel = min(first + i, channels - 1);
            float step = delta[(base + t) * channels + channel] + bias[channel];
            dts[t][i] = step > 20 ? step : log1pf(expf(step));
            xs[t][i] = x[(base + t) * channels + channel];
        }
        __syncthreads();
#pragma unroll 4
        for (int t = 0; t < CHUNK; t++) {
            float dt = dts[t][local], in = xs[t][local], out = 0;
#pragma unroll
            for (int k = 0; k < OWN; k++) {
                state[k] = expf(dt * decay[k]) * state[k] + dt * in * bs[t][part * OWN + k];
                out += state[k] * cs[t][part * OWN + k];
            }
            out += __shfl_xor_sync(0xffffffff, out, 1);
            out += __shfl_xor_sync(0xffffffff, out, 2);
            if (part == 0)
                ys[t][local] = out + through * in;
        }
        __syncthreads();
        for (int k = threadIdx.x; k < CHUNK * WIDTH; k += THREADS) {
            int t = k / WIDTH, i = k % WIDTH;
            if (first + i < channels) {
                float gate = z[(base + t) * channels + first + i];
                y[(base + t) * channels + first + i] = ys[t][i] * gate / (1 + expf(-gate));
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = 4, tokens = 512, channels = 2048 >> args.shift;
    int all = batch * tokens * channels, few = batch * tokens * STATES, own = channels * STATES;
    float *x = NEW(float, all), *delta = NEW(float, all), *z = NEW(float, all), *y = NEW(float, all);
    float *a = NEW(float, own), *b = NEW(float, few), *c = NEW(float, few), *d = NEW(float, channels),
          *bias = NEW(float, channels);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        x[k] = number(k) - 0.3;
        delta[k] = number(k + 1) - 0.5;
        z[k] = 2 * number(k + 2) - 0.5;
    }
    for (int k = 0; k < few; k++) {
        b[k] = number(k + 3) - 0.2;
        c[k] = number(k + 4) - 0.2;
    }
    for (int k = 0; k < own; k++)
        a[k] = -(k % STATES + 1) * (0.5 + number(k + 5));
    for (int k = 0; k < channels; k++) {
        d[k] = number(k + 6);
        bias[k] = -4 * number(k + 7);
    }
    float *dx = on_device(x, all), *ddelta = on_device(delta, all), *dz = on_device(z, all), *dy = device<float>(all);
    float *da = on_device(a, own), *db = on_device(b, few), *dc = on_device(c, few), *dd = on_device(d, channels),
          *dbias = on_device(bias, channels);
    dim3 grid(ceiling(channels, WIDTH), batch);
    double best = fastest(
        args.repeats, [&] { scan<<<grid, THREADS>>>(tokens, channels, dx, ddelta, da, db, dc, dd, dz, dbias, dy); });
    to_host(y, dy, all);
    for (int k = 0; k < all; k++)
        sum += fabs(y[k]) * (1 + k % 3);
    report("selective", best, sum);
    return 0;
}
