// 2^20 queries for the k-th smallest of a range of a sequence of 2^21 numbers of 12 bits by a wavelet matrix: a thread
// a query; words and counts of both ends are fetched before either is used.
#include "kernels.cuh"

typedef unsigned long long word;

constexpr int LENGTH = 1 << 21, QUERIES = 1 << 20, LEVELS = 12;

__global__ void __launch_bounds__(256)
    answer(int n, int words, const word *__restrict__ bits, const int *__restrict__ before,
           const int *__restrict__ zeros, const int *__restrict__ left, const int *__restrict__ right,
           const int *__restrict__ which, int *__restrict__ value)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= n)
        return;
    int l = left[q], r = right[q], k = which[q], result = 0;
#pragma unroll
    for (int level = 0; level < LEVELS; level++) {
        word wl = __ldg(&bits[l >> 6]), wr = __ldg(&bits[r >> 6]);
        int a = __ldg(&before[l >> 6]), b = __ldg(&before[r >> 6]);
        a += __popcll(wl & ((1ull << (l & 63)) - 1));
        b += __popcll(wr & ((1ull << (r & 63)) - 1));
        int none = (r - b) - (l - a), low = __ldg(&zeros[level]);
        bool one = k >= none;
        result = 2 * result + one;
        k -= one ? none : 0;
        l = one ? low + a : l - a;
        r = one ? low + b : r - b;
        bits += words;
        before += words;
    }
    value[q] = result;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, length = LENGTH >> args.shift, words = length / 64 + 1, all = LEVELS * words;
    word *bits = (word *)calloc(all, sizeof(word));
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
            bits[level * words + k / 64] |= (word)one << k % 64;
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
    word *dbits = on_device(bits, all);
    int *dbefore = on_device(before, all), *dzeros = on_device(zeros, LEVELS), *dvalue = device<int>(n);
    int *dleft = on_device(left, n), *dright = on_device(right, n), *dwhich = on_device(which, n);
    double best = fastest(args.repeats, [&] {
        answer<<<ceiling(n, 256), 256>>>(n, words, dbits, dbefore, dzeros, dleft, dright, dwhich, dvalue);
    });
    to_host(value, dvalue, n);
    for (int q = 0; q < n; q++)
        sum += (double)value[q] * (1 + q % 3);
    report("quantile", best, sum);
    return 0;
}
