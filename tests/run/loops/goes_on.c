// What loops leave in variables that they go on with in the next iteration of the loop around, and nothing else reads: counters, indices, sums, flags.
#include <stdio.h>
#include <stdlib.h>

enum { n = 24, M = 71, most = M * M };

static double got[n][most], wanted[n][most], in[n][most];

#define FILL(name, type, start, body)                                     \
    static void name##_host(double (*out)[most])                          \
    {                                                                     \
        for (int s = 0; s < n; s++) {                                     \
            type k = start;                                               \
            body                                                          \
        }                                                                 \
    }                                                                     \
    static void name##_device(double (*out)[most])                        \
    {                                                                     \
        _Pragma("acc parallel loop copy(out[0:n]) copyin(in)")            \
        for (int s = 0; s < n; s++) {                                     \
            type k = start;                                               \
            body                                                          \
        }                                                                 \
    }
// Indices and pointers that inner loops move on, and that nothing but those loops reads.
FILL(square, int, 0, for (int i = 0; i < M; i++) for (int j = 0; j < M; j++) out[s][k++] = 100 * i + j + s;)
FILL(triangle, int, 0, for (int i = 0; i < M; ++i) for (int j = i; j < M; ++j) out[s][k++] = 100 * i + j + s;)
FILL(wide, size_t, 0, for (size_t i = 0; i < M; ++i) for (size_t j = 0; j <= i; ++j) out[s][k++] += 100. * i + j + s;)
FILL(pointer, double *, out[s], for (int i = 0; i < M; ++i) for (int j = 0; j < M; j++) *k++ = 100 * i + j + s;)
FILL(behind, double *, out[s] + most, for (int i = 0; i < M; ++i) for (int j = i; j < M; j++) *--k = 100 * i + j + s;)
FILL(by_two, long, 1, for (int i = 0; i < M; ++i) for (int j = 0; j < M / 2; j++) { out[s][k] = 100 * i + j + s; k += 2; })
FILL(three, int, 0, for (int i = 0; i < 6; i++) for (int j = 0; j < 17; j++) for (int l = 0; l < 49; l++) out[s][k++] = 100 * i + 10 * j + l + s;)
FILL(some, int, 0, for (int i = 0; i < M; i++) if (i % 3 != s % 3) for (int j = 0; j < M; j++) out[s][k++] = 100 * i + j + s;)
FILL(again, int, 0, int i = 0; while (i < M) { for (int j = 0; j < M; j++) out[s][k++] = 100 * i + j + s; i++; })
FILL(two, int, 0, for (int i = 0; i < M; i++) { for (int j = 0; j < 30; j++) out[s][k++] = i + j + s; for (int j = 0; j < 41; j++) out[s][k++] = i - j + s; })
FILL(anew, int, 0, for (int i = 0; i < M; i++) { k = i * M; for (int j = 0; j < M; j++) out[s][k++] = 100 * i + j + s; })

// Counters, sums, flags and numbers that depend on each other.
FILL(by_while, int, 0, for (int i = 0; i < M; i++) { while (k < 40 * (i + 1)) { out[s][k] = i; k++; } })
FILL(by_for, int, 0, for (int i = 0; i < M; i++) { for (; k < 40 * (i + 1); k++) out[s][k] = i + k; })
FILL(downwards, int, most, for (int i = 0; i < M; i++) { int e = k - 50; while (k-- > e) out[s][k] = i; k++; })
FILL(filter, double, 0, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { k = 0.5 * k + in[s][i * M + j]; out[s][i * M + j] = k; } })
FILL(largest, double, -1, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { if (in[s][i * M + j] > k) k = in[s][i * M + j]; out[s][i * M + j] = k; } })
FILL(place, int, 0, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { if (in[s][i * M + j] > in[s][k]) k = i * M + j; out[s][i * M + j] = k; } })
FILL(wraps, unsigned, 0, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k % most] = k; k += 3; } })
FILL(previous, int, 0, double last = 0; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = last; last = in[s][i * M + j]; } })
FILL(four_sums, int, 0, double t[4] = {0}; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { t[j & 3] += in[s][k]; out[s][k++] = t[(j + 1) & 3]; } })
FILL(row_before, int, 0, int old = 0; for (int i = 0; i < M; i++) { int new_ = k; for (int j = 0; j < M; j++) out[s][k++] = old; old = new_; })
FILL(ring, int, 0, int m = 0; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = in[s][m]; m += 2; if (m >= most) m = 0; } })
FILL(narrow, short, 0, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = i + j; } })
FILL(congruence, int, 0, int c = 7; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = c; c = (c * 5 + 1) % 64; } })
FILL(compacted, int, 0, int c = 0; for (int i = 0; i < M; i++) { int begin = k; for (int j = 0; j < M; j++) { if (in[s][i * M + j] > 3) { out[s][k] = in[s][i * M + j]; k++; } } c += k - begin; } out[s][most - 1] = c;)
FILL(backwards, long, M - 1, for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k] = j; k--; } k += 2 * M; })
FILL(pointer_apart, int, 0, for (int i = 0; i < M - 1; i++) { double *d = &out[s][k]; for (int j = 0; j < 70; j++) { *d++ = i; k = d - out[s]; } })
FILL(by_do, int, 0, do { int j = 0; do { out[s][k++] = j; } while (++j < M); } while (k < most - M);)
FILL(flag, int, 0, int par = 0; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = par; par = !par; } })
FILL(fibonacci, int, 0, int a0 = 0; int b0 = 1; for (int i = 0; i < M; i++) { for (int j = 0; j < M; j++) { out[s][k++] = a0; int t0 = (a0 + b0) % 1000; a0 = b0; b0 = t0; } })
FILL(lengths, int, 0, int n0 = 0; for (int i = 0; i < M; i++) { n0 += i; for (int j = 0; j < n0 % M; j++) out[s][k++ % most] = j; })

static int failed;

static void compare(const char *name, void (*host)(double (*)[most]), void (*device)(double (*)[most]))
{
    for (int s = 0; s < n; s++)
        for (int k = 0; k < most; k++) got[s][k] = wanted[s][k] = -1;
    host(wanted);
    device(got);
    for (int s = 0; s < n; s++)
        for (int k = 0; k < most; k++)
            if (got[s][k] != wanted[s][k]) {
                printf("%s: %g instead of %g at %d %d\n", name, got[s][k], wanted[s][k], s, k);
                failed = 1;
                return;
            }
}

int main(void)
{
    for (int s = 0; s < n; s++) for (int k = 0; k < most; k++) in[s][k] = (s * 7 + k * 13) % 101 % 8;
#define C(name) compare(#name, name##_host, name##_device);
    C(square) C(triangle) C(wide) C(pointer) C(behind) C(by_two) C(three) C(some) C(again) C(two) C(anew)
    C(by_while) C(by_for) C(downwards) C(filter) C(largest) C(place) C(wraps) C(previous) C(four_sums) C(row_before) C(ring) C(narrow) C(congruence) C(compacted) C(backwards) C(pointer_apart) C(by_do) C(flag) C(fibonacci) C(lengths)
    return failed;
}
