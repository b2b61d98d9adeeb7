// 4096 Mersenne twisters of 19 words each (state in a private array), 512 numbers from each: their mean and a histogram of 16 bins.
#include "../kernels.h"

enum { STREAMS = 4096, NUMBERS = 512, WORDS = 19, SHIFT = 9, BINS = 16 };

#if SPELLING == 1
static void streams(int n, const unsigned *restrict seed, float *restrict mean, int *restrict bins)
{
#pragma acc parallel loop present(seed[0:n], mean[0:n], bins[0:BINS])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        unsigned state[WORDS];
        float sum = 0;
        state[0] = seed[s];
        for (int k = 1; k < WORDS; k++)
            state[k] = 1812433253u * (state[k - 1] ^ state[k - 1] >> 30) + k;
        int now = 0;
        for (int k = 0; k < NUMBERS; k++) {
            int next = now + 1 < WORDS ? now + 1 : 0, far = now + SHIFT < WORDS ? now + SHIFT : now + SHIFT - WORDS;
            unsigned x = (state[now] & 0x80000000u) | (state[next] & 0x7fffffffu);
            x = state[far] ^ x >> 1 ^ (x & 1 ? 0x9908b0dfu : 0);
            state[now] = x;
            now = next;
            x ^= x >> 11;
            x ^= x << 7 & 0x9d2c5680u;
            x ^= x << 15 & 0xefc60000u;
            x ^= x >> 18;
            sum += (x >> 8) * 0x1p-24f;
#pragma acc atomic update
#pragma omp atomic
            bins[x >> 28]++;
        }
        mean[s] = sum / NUMBERS;
    }
}
#else
struct twister { unsigned word[WORDS]; size_t now; };

static unsigned next(struct twister *t)
{
    size_t i = t->now, j = (i + 1) % WORDS, k = (i + SHIFT) % WORDS;
    unsigned x = (t->word[i] & 1u << 31) | (t->word[j] & ~(1u << 31));
    t->word[i] = x = t->word[k] ^ (x >> 1) ^ (-(x & 1) & 0x9908b0dfu);
    t->now = j;
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    return x ^ (x >> 18);
}

static void streams(size_t n, unsigned *seed, float *mean, int *bins)
{
#pragma acc parallel loop gang vector present(seed[0:n], mean[0:n], bins[0:BINS])
#pragma omp parallel for
    for (size_t s = 0; s < n; ++s) {
        struct twister t = {.word = {seed[s]}, .now = 0};
        for (unsigned k = 1; k < WORDS; ++k)
            t.word[k] = (t.word[k - 1] ^ (t.word[k - 1] >> 30)) * 1812433253u + k;
        double sum = 0;
        for (size_t k = NUMBERS; k > 0; --k) {
            unsigned x = next(&t);
            sum += (x >> 8) / 16777216.0f;
#pragma acc atomic
#pragma omp atomic
            bins[x / (1u << 28)] += 1;
        }
        mean[s] = (float)(sum / NUMBERS);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = STREAMS >> args.shift, bins[BINS];
    unsigned *seed = NEW(unsigned, n);
    float *mean = NEW(float, n);
    double sum = 0;
    for (int s = 0; s < n; s++)
        seed[s] = mix(s) | 1;
    for (int k = 0; k < BINS; k++)
        bins[k] = 0;
#pragma acc enter data copyin(seed[0:n], bins[0:BINS]) create(mean[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        streams(n, seed, mean, bins);
#pragma acc update self(mean[0:n], bins[0:BINS])
    SUM(sum, mean, n);
    for (int k = 0; k < BINS; k++)
        sum += (double)bins[k] / bins[0] * k;
    report("twister", t.best, sum);
    return 0;
}
