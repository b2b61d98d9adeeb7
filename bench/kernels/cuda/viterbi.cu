// The likeliest paths of 256 sequences of 128 symbols through a hidden Markov model of 64 states: a block a sequence, a thread a state, scores
// in shared memory.
#include "kernels.cuh"

constexpr int STEPS = 128, STATES = 64, SYMBOLS = 16;

__global__ void viterbi(const unsigned char *__restrict__ seen, const float *__restrict__ step, const float *__restrict__ emit,
                        unsigned char *__restrict__ from, float *__restrict__ best)
{
    __shared__ float score[2][STATES];
    int s = blockIdx.x, j = threadIdx.x;
    score[0][j] = emit[j * SYMBOLS + seen[s * STEPS]];
    __syncthreads();
    for (int t = 1; t < STEPS; t++) {
        const float *old = score[(t - 1) % 2];
        float most = -1e30f;
        int at = 0;
        for (int i = 0; i < STATES; i++) {
            float x = old[i] + step[i * STATES + j];
            if (x > most) {
                most = x;
                at = i;
            }
        }
        score[t % 2][j] = most + emit[j * SYMBOLS + seen[s * STEPS + t]];
        from[(s * STEPS + t) * STATES + j] = at;
        __syncthreads();
    }
    if (j < 32) {
        float most = fmaxf(score[(STEPS - 1) % 2][j], score[(STEPS - 1) % 2][j + 32]);
        for (int d = 16; d > 0; d /= 2)
            most = fmaxf(most, __shfl_down_sync(0xffffffff, most, d));
        if (j == 0)
            best[s] = most;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 256 >> args.shift;
    unsigned char *seen = NEW(unsigned char, n * STEPS), *from = (unsigned char *)calloc(n * STEPS, STATES);
    float *step = NEW(float, STATES * STATES), *emit = NEW(float, STATES * SYMBOLS), *best = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n * STEPS; k++)
        seen[k] = mix(k) % SYMBOLS;
    for (int k = 0; k < STATES * STATES; k++)
        step[k] = logf(0.001f + number(k));
    for (int k = 0; k < STATES * SYMBOLS; k++)
        emit[k] = logf(0.001f + number(3 * k + 1));
    unsigned char *dseen = on_device(seen, n * STEPS), *dfrom = on_device(from, n * STEPS * STATES);
    float *dstep = on_device(step, STATES * STATES), *demit = on_device(emit, STATES * SYMBOLS), *dbest = device<float>(n);
    double seconds = fastest(args.repeats, [&] { viterbi<<<n, STATES>>>(dseen, dstep, demit, dfrom, dbest); });
    to_host(best, dbest, n);
    to_host(from, dfrom, n * STEPS * STATES);
    SUM(sum, best, n);
    for (long k = 0; k < (long)n * STEPS * STATES; k++)
        sum += from[k] * 1e-3;
    report("viterbi", seconds, sum);
    return 0;
}
