// The 64 largest of 32768 scores in each of 2048 rows of floats, as sampling the next word needs them: by digits
// of a radix selection the least of them, then they are collected, put in order and weighted by softmax.
#include "../kernels.h"

enum { ROWS = 2048, WORDS = 32768, BEST = 64, BINS = 256 };

#if SPELLING == 1
static inline unsigned ordered(float x)
{
    union { float f; unsigned u; } bits = {x};
    return bits.u & 0x80000000 ? ~bits.u : bits.u | 0x80000000;
}

static void largest(int rows, const float *restrict score, float *restrict weight, int *restrict word)
{
#pragma acc parallel loop gang vector_length(256) present(score[0:rows * WORDS]) \
    present(weight[0:rows * BEST], word[0:rows * BEST])
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        unsigned count[BINS], prefix = 0, known = 0;
        int left = BEST, places = 0, ties = 0, index[BEST];
        float value[BEST], most = -1e30f, total = 0;
        for (int shift = 24; shift >= 0; shift -= 8) {
#pragma acc loop vector
            for (int b = 0; b < BINS; b++)
                count[b] = 0;
#pragma acc loop vector
            for (int k = 0; k < WORDS; k++) {
                unsigned key = ordered(score[r * WORDS + k]);
                if ((key & known) == prefix) {
#pragma acc atomic update
                    count[key >> shift & (BINS - 1)]++;
                }
            }
            int digit = BINS - 1;
            while ((int)count[digit] < left)
                left -= count[digit--];
            prefix |= (unsigned)digit << shift;
            known |= (unsigned)(BINS - 1) << shift;
        }
#pragma acc loop vector
        for (int k = 0; k < WORDS; k++) {
            unsigned key = ordered(score[r * WORDS + k]);
            int at = BEST, tie = 0;
            if (key < prefix)
                continue;
            if (key == prefix) {
#pragma acc atomic capture
                tie = ties++;
            }
            if (tie < left) {
#pragma acc atomic capture
                at = places++;
                value[at] = score[r * WORDS + k];
                index[at] = k;
            }
        }
#pragma acc loop vector reduction(max : most)
        for (int a = 0; a < BEST; a++)
            most = fmaxf(most, value[a]);
#pragma acc loop vector reduction(+ : total)
        for (int a = 0; a < BEST; a++)
            total += expf(value[a] - most);
#pragma acc loop vector
        for (int a = 0; a < BEST; a++) {
            int rank = 0;
            for (int b = 0; b < BEST; b++)
                rank += value[b] > value[a] || (value[b] == value[a] && index[b] < index[a]);
            weight[r * BEST + rank] = expf(value[a] - most) / total;
            word[r * BEST + rank] = index[a];
        }
    }
}
#else
#include <stdint.h>
#include <string.h>

struct entry { uint32_t key, word; };

static inline uint32_t ordered(const float *x)
{
    int32_t bits;
    memcpy(&bits, x, sizeof bits);
    return (uint32_t)bits ^ ((uint32_t)(bits >> 31) | 0x80000000u);
}

static inline float score_of(uint32_t key)
{
    float x;
    key ^= key >> 31 ? 0x80000000u : 0xffffffffu;
    memcpy(&x, &key, sizeof x);
    return x;
}

static void largest(size_t rows, float *scores, float *weights, int *words)
{
    struct entry found[BEST];
    uint32_t count[BINS];
    float(*weight)[BEST] = (float(*)[BEST])weights;
    int(*word)[BEST] = (int(*)[BEST])words;
#pragma acc parallel loop gang vector_length(512) private(count, found) present(scores[0:rows * WORDS]) \
    present(weight[0:rows], word[0:rows])
#pragma omp parallel for private(count, found)
    for (size_t r = 0; r < rows; ++r) {
        const float *row = scores + r * WORDS;
        uint32_t least = 0, left = BEST, taken = 0, same = 0;
        float total = 0;
        unsigned char digit = 4;
        while (digit--) {
            uint64_t above = (uint64_t)least >> 8 * (digit + 1);
#pragma acc loop vector
            for (uint32_t *c = count; c < count + BINS; ++c)
                *c = 0;
#pragma acc loop vector
            for (size_t k = 0; k < WORDS; ++k) {
                uint32_t key = ordered(row + k);
                if ((uint64_t)key >> 8 * (digit + 1) == above) {
#pragma acc atomic
                    count[(uint8_t)(key >> 8 * digit)] += 1;
                }
            }
            uint32_t bin = BINS;
            while (count[--bin] < left)
                left -= count[bin];
            least |= bin << 8 * digit;
        }
#pragma acc loop vector
        for (size_t k = 0; k < WORDS; ++k) {
            const struct entry one = {ordered(row + k), k};
            uint32_t at;
            if (one.key > least) {
#pragma acc atomic capture
                { at = taken; taken += 1; }
                found[at] = one;
            } else if (one.key == least) {
#pragma acc atomic capture
                { at = same; same += 1; }
                if (at < left)
                    found[BEST - 1 - at] = one;
            }
        }
#pragma acc loop vector reduction(+ : total)
        for (size_t a = 0; a < BEST; ++a)
            total += expf(score_of(found[a].key));
#pragma acc loop vector
        for (size_t a = 0; a < BEST; ++a) {
            size_t rank = 0;
            for (const struct entry *other = found; other < found + BEST; ++other)
                if (other->key > found[a].key)
                    ++rank;
                else if (other->key == found[a].key)
                    rank += other->word < found[a].word;
            weight[r][rank] = expf(score_of(found[a].key)) / total;
            word[r][rank] = (int)found[a].word;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, *word = NEW(int, rows * BEST);
    float *score = NEW(float, rows * WORDS), *weight = NEW(float, rows * BEST);
    double sum = 0;
    for (int k = 0; k < rows * WORDS; k++)
        score[k] = (int)mix(k) * 0x1p-29 + (int)mix(k + 77) * 0x1p-30;
#pragma acc enter data copyin(score[0:rows * WORDS]) create(weight[0:rows * BEST], word[0:rows * BEST])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        largest(rows, score, weight, word);
#pragma acc update self(weight[0:rows * BEST], word[0:rows * BEST])
    for (int k = 0; k < rows * BEST; k++)
        sum += weight[k] * (k % BEST + 1) + score[k / BEST * WORDS + word[k]];
    report("topk", t.best, sum);
    return 0;
}
