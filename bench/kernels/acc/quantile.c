// 2^20 queries for the k-th smallest of a range of a sequence of 2^21 numbers of 12 bits by a wavelet matrix: for each
// bit how many ones are before both ends of the range, from counts of the words before and the bits of one word.
#include "../kernels.h"
#include <stdint.h>

enum { LENGTH = 1 << 21, QUERIES = 1 << 20, LEVELS = 12 };

#if SPELLING == 1
static void answer(int n, int words, const unsigned long long *restrict bits, const int *restrict before,
                   const int *restrict zeros, const int *restrict left, const int *restrict right,
                   const int *restrict which, int *restrict value)
{
#pragma acc parallel loop present(bits[0:LEVELS * words], before[0:LEVELS * words], zeros[0:LEVELS]) \
    present(left[0:n], right[0:n], which[0:n], value[0:n])
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int l = left[q], r = right[q], k = which[q], result = 0;
        for (int level = 0; level < LEVELS; level++) {
            int wl = level * words + l / 64, wr = level * words + r / 64;
            int ones_l = before[wl] + __builtin_popcountll(bits[wl] & ((1ull << l % 64) - 1));
            int ones_r = before[wr] + __builtin_popcountll(bits[wr] & ((1ull << r % 64) - 1));
            int none = (r - l) - (ones_r - ones_l);
            result *= 2;
            if (k < none) {
                l -= ones_l;
                r -= ones_r;
            } else {
                k -= none;
                l = zeros[level] + ones_l;
                r = zeros[level] + ones_r;
                result++;
            }
        }
        value[q] = result;
    }
}
#else
struct level {
    const uint64_t *bits;
    const uint32_t *before;
};

static inline uint32_t rank1(struct level v, uint32_t at)
{
    uint64_t below = v.bits[at >> 6] & ~(~UINT64_C(0) << (at & 63));
    return v.before[at >> 6] + (uint32_t)__builtin_popcountll(below);
}

static void answer(size_t n, size_t words, unsigned long long *bits, int *before, int *zeros, int *left, int *right,
                   int *which, int *value)
{
#pragma acc kernels present(bits[0:LEVELS * words], before[0:LEVELS * words], zeros[0:LEVELS], left[0:n], right[0:n], \
                            which[0:n], value[0:n])
#pragma acc loop independent gang vector(128)
#pragma omp parallel for
    for (size_t q = 0; q < n; ++q) {
        uint32_t l = left[q], r = right[q], k = which[q], result = 0;
        struct level v = {(const uint64_t *)bits, (const uint32_t *)before};
        const int *zero = zeros;
        unsigned bit = 1u << (LEVELS - 1);
        while (bit) {
            const uint32_t a = rank1(v, l), b = rank1(v, r), none = (r - b) - (l - a);
            if (k >= none) {
                result |= bit;
                k -= none;
                l = *zero + a;
                r = *zero + b;
            } else
                l -= a, r -= b;
            v.bits += words;
            v.before += words;
            ++zero;
            bit >>= 1;
        }
        value[q] = (int)result;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, length = LENGTH >> args.shift, words = length / 64 + 1, all = LEVELS * words;
    unsigned long long *bits = calloc(all, sizeof(unsigned long long));
    int *before = NEW(int, all), *zeros = NEW(int, LEVELS), *now = NEW(int, length), *next = NEW(int, length);
    int *left = NEW(int, n), *right = NEW(int, n), *which = NEW(int, n), *value = NEW(int, n);
    double sum = 0;
    for (int k = 0; k < length; k++)
        now[k] = mix(k) % (1u << LEVELS);
    for (int level = 0; level < LEVELS; level++) {
        int bit = LEVELS - 1 - level, ones = 0, low = 0;
        for (int k = 0; k < length; k++)
            low += !(now[k] >> bit & 1);
        zeros[level] = low;
        for (int k = 0, at = 0; k < length; k++) {
            int one = now[k] >> bit & 1;
            bits[level * words + k / 64] |= (unsigned long long)one << k % 64;
            next[one ? low++ : at++] = now[k];
        }
        for (int w = 0; w < words; w++) {
            before[level * words + w] = ones;
            ones += __builtin_popcountll(bits[level * words + w]);
        }
        int *swap = now;
        now = next;
        next = swap;
    }
    for (int q = 0; q < n; q++) {
        left[q] = mix(3 * q) % (length - 1);
        right[q] = left[q] + 1 + mix(3 * q + 1) % (length - left[q]);
        which[q] = mix(3 * q + 2) % (right[q] - left[q]);
    }
#pragma acc enter data copyin(bits[0:all], before[0:all], zeros[0:LEVELS], left[0:n], right[0:n], which[0:n]) \
    create(value[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        answer(n, words, bits, before, zeros, left, right, which, value);
#pragma acc update self(value[0:n])
    for (int q = 0; q < n; q++)
        sum += (double)value[q] * (1 + q % 3);
    report("quantile", t.best, sum);
    return 0;
}
