// Indices and pointers that inner loops of nests move on, and that nothing but those loops reads: each outer iteration goes on where the one before has ended.
#include <stdio.h>
#include <stdlib.h>

enum { n = 40, M = 71, most = M * M };

static double got[n][most], wanted[n][most];

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
        _Pragma("acc parallel loop copy(out[0:n])")                       \
        for (int s = 0; s < n; s++) {                                     \
            type k = start;                                               \
            body                                                          \
        }                                                                 \
    }

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
#define COMPARE(name) compare(#name, name##_host, name##_device)
    COMPARE(square);
    COMPARE(triangle);
    COMPARE(wide);
    COMPARE(pointer);
    COMPARE(behind);
    COMPARE(by_two);
    COMPARE(three);
    COMPARE(some);
    COMPARE(again);
    COMPARE(two);
    COMPARE(anew);
    return failed;
}
