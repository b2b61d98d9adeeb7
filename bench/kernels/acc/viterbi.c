// The likeliest paths of 256 sequences of 128 symbols through a hidden Markov model of 64 states: a gang a sequence, scores of the step before
// in an array of the gang, where each state came from in memory.
#include "../kernels.h"

enum { SEQUENCES = 256, STEPS = 128, STATES = 64, SYMBOLS = 16 };

#if SPELLING == 1
static void viterbi(int n, const unsigned char *restrict seen, const float *restrict step, const float *restrict emit,
                    unsigned char *restrict from, float *restrict best)
{
#pragma acc parallel loop gang vector_length(64) present(seen[0:n * STEPS], step[0:STATES * STATES], emit[0:STATES * SYMBOLS], \
                                                         from[0:n * STEPS * STATES], best[0:n])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        float score[STATES], next[STATES];
#pragma acc loop vector
        for (int j = 0; j < STATES; j++)
            score[j] = emit[j * SYMBOLS + seen[s * STEPS]];
        for (int t = 1; t < STEPS; t++) {
            int symbol = seen[s * STEPS + t];
#pragma acc loop vector
            for (int j = 0; j < STATES; j++) {
                float most = -1e30f;
                int at = 0;
                for (int i = 0; i < STATES; i++) {
                    float x = score[i] + step[i * STATES + j];
                    if (x > most) {
                        most = x;
                        at = i;
                    }
                }
                next[j] = most + emit[j * SYMBOLS + symbol];
                from[(s * STEPS + t) * STATES + j] = at;
            }
#pragma acc loop vector
            for (int j = 0; j < STATES; j++)
                score[j] = next[j];
        }
        float most = -1e30f;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < STATES; j++)
            most = fmaxf(most, score[j]);
        best[s] = most;
    }
}
#else
#define TO(i, j) step[(i) * STATES + (j)]

static void viterbi(size_t n, unsigned char *seen, float *step, float *emit, unsigned char *from, float *best)
{
    float score[2][STATES];
#pragma acc parallel num_gangs(n) vector_length(64) private(score) present(seen[0:n * STEPS], step[0:STATES * STATES], emit[0:STATES * SYMBOLS], \
                                                                          from[0:n * STEPS * STATES], best[0:n])
    {
#pragma acc loop gang
#pragma omp parallel for private(score)
        for (size_t s = 0; s < n; ++s) {
            unsigned char *symbols = seen + s * STEPS, *back = from + s * STEPS * STATES;
#pragma acc loop vector
            for (size_t j = 0; j < STATES; ++j)
                score[0][j] = emit[j * SYMBOLS + symbols[0]];
            for (size_t t = 1; t < STEPS; ++t) {
#pragma acc loop vector
                for (size_t j = 0; j < STATES; ++j) {
                    size_t at = 0;
                    for (size_t i = 1; i < STATES; ++i)
                        if (score[(t - 1) % 2][i] + TO(i, j) > score[(t - 1) % 2][at] + TO(at, j))
                            at = i;
                    score[t % 2][j] = score[(t - 1) % 2][at] + TO(at, j) + emit[j * SYMBOLS + symbols[t]];
                    back[t * STATES + j] = (unsigned char)at;
                }
            }
            float most = score[(STEPS - 1) % 2][0];
#pragma acc loop vector reduction(max : most)
            for (size_t j = 1; j < STATES; ++j)
                if (score[(STEPS - 1) % 2][j] > most)
                    most = score[(STEPS - 1) % 2][j];
            best[s] = most;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SEQUENCES >> args.shift;
    unsigned char *seen = NEW(unsigned char, n *STEPS), *from = calloc(n * STEPS, STATES);
    float *step = NEW(float, STATES *STATES), *emit = NEW(float, STATES *SYMBOLS), *best = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n * STEPS; k++)
        seen[k] = mix(k) % SYMBOLS;
    for (int k = 0; k < STATES * STATES; k++)
        step[k] = logf(0.001f + number(k));
    for (int k = 0; k < STATES * SYMBOLS; k++)
        emit[k] = logf(0.001f + number(3 * k + 1));
#pragma acc enter data copyin(seen[0:n * STEPS], step[0:STATES * STATES], emit[0:STATES * SYMBOLS], from[0:n * STEPS * STATES]) create(best[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        viterbi(n, seen, step, emit, from, best);
#pragma acc update self(best[0:n], from[0:n * STEPS * STATES])
    SUM(sum, best, n);
    for (long k = 0; k < (long)n * STEPS * STATES; k++)
        sum += from[k] * 1e-3;
    report("viterbi", t.best, sum);
    return 0;
}
