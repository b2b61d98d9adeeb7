// A layer of linear attention with the gated delta rule, float: a block a head; four threads have a column of the state in registers, 16
// numbers each; keys and queries of eight tokens at a time in shared memory.
#include "kernels.cuh"

constexpr int HEADS = 256, TOKENS = 512, D = 64, PARTS = 4, MINE = D / PARTS, THREADS = D * PARTS, BATCH = 8;

__global__ void __launch_bounds__(THREADS)
layer(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v,
      const float *__restrict__ decay, const float *__restrict__ beta, float *__restrict__ out)
{
    __shared__ float sq[BATCH][D], sk[BATCH][D], sv[BATCH][D], sdecay[BATCH], sbeta[BATCH];
    int j = threadIdx.x / PARTS, part = threadIdx.x % PARTS, first = blockIdx.x * TOKENS;
    float state[MINE];
#pragma unroll
    for (int i = 0; i < MINE; i++)
        state[i] = 0;
    for (int batch = 0; batch < TOKENS; batch += BATCH) {
        __syncthreads();
        for (int i = threadIdx.x; i < BATCH * D; i += THREADS) {
            sq[i / D][i % D] = q[(first + batch) * D + i];
            sk[i / D][i % D] = k[(first + batch) * D + i];
            sv[i / D][i % D] = v[(first + batch) * D + i];
        }
        if (threadIdx.x < BATCH) {
            sdecay[threadIdx.x] = decay[first + batch + threadIdx.x];
            sbeta[threadIdx.x] = beta[first + batch + threadIdx.x];
        }
        __syncthreads();
        for (int t = 0; t < BATCH; t++) {
            float known = 0, answer = 0, fade = sdecay[t];
            // numbers of a part are four apart, so that the parts do not meet in a bank
#pragma unroll
            for (int i = 0; i < MINE; i++) {
                state[i] *= fade;
                known += state[i] * sk[t][i * PARTS + part];
            }
            for (int d = 1; d < PARTS; d *= 2)
                known += __shfl_xor_sync(0xffffffff, known, d);
            float change = sbeta[t] * (sv[t][j] - known);
#pragma unroll
            for (int i = 0; i < MINE; i++) {
                state[i] += change * sk[t][i * PARTS + part];
                answer += state[i] * sq[t][i * PARTS + part];
            }
            for (int d = 1; d < PARTS; d *= 2)
                answer += __shfl_xor_sync(0xffffffff, answer, d);
            if (part == 0)
                out[(first + batch + t) * D + j] = answer;
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int heads = HEADS >> args.shift, all = heads * TOKENS;
    float *q = NEW(float, all * D), *k = NEW(float, all * D), *v = NEW(float, all * D), *out = NEW(float, all * D);
    float *decay = NEW(float, all), *beta = NEW(float, all);
    double sum = 0;
    for (int t = 0; t < all; t++) {
        double length = 0;
        for (int i = 0; i < D; i++) {
            q[t * D + i] = number(3 * (t * D + i)) / 8;
            k[t * D + i] = number(3 * (t * D + i) + 1) - 0.3;
            v[t * D + i] = number(3 * (t * D + i) + 2);
            length += k[t * D + i] * k[t * D + i];
        }
        for (int i = 0; i < D; i++)
            k[t * D + i] /= sqrt(length);
        decay[t] = 0.9 + 0.1 * number(t + 11);
        beta[t] = 0.2 + 0.7 * number(t + 12);
    }
    float *dq = on_device(q, all * D), *dk = on_device(k, all * D), *dv = on_device(v, all * D);
    float *ddecay = on_device(decay, all), *dbeta = on_device(beta, all), *dout = device<float>(all * D);
    double best = fastest(args.repeats, [&] { layer<<<heads, THREADS>>>(dq, dk, dv, ddecay, dbeta, dout); });
    to_host(out, dout, all * D);
    for (int i = 0; i < all * D; i++)
        sum += fabsf(out[i]) * (1 + i % 5);
    report("deltarule", best, sum);
    return 0;
}
