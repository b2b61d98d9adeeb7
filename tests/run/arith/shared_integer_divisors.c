// Quotients and remainders of integers with a divisor in common, in four spellings: neighbours around a ring, digits, functions and macros in
// loops; of all signs, of the largest numbers, and by divisors that change.
#include <stdio.h>
#include <stdlib.h>

enum { SPECIAL = 16, N = SPECIAL * SPECIAL + 2000 };

#define AROUND(i, n) (((i) % (n) + (n)) % (n))

static inline int place(int i, int j, int n) { return (i + n) % n * n + (j + n) % n; }

static unsigned number(unsigned k) { return (k * 2654435761u ^ k >> 3) >> k % 29; }

int main(void)
{
    const int special[SPECIAL] = {1, -1, 2, -2, 3, 7, 10, 2147483647, -2147483647, -2147483647 - 1, 65535, 65536, -65537, 1 << 30, 5, 1000003};
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *out = malloc(9 * N * sizeof *out);
    unsigned *u = malloc(3 * N * sizeof *u);
    for (int i = 0; i < N; i++) {
        int few = i < SPECIAL * SPECIAL;
        a[i] = few ? special[i % SPECIAL] : (int)number(i);
        b[i] = few ? special[i / SPECIAL] : (int)number(i + 777);
        if (b[i] == 0 || a[i] == -2147483647 - 1 && b[i] == -1)
            b[i] = 3;
    }
#pragma acc parallel loop copyin(a[0:N], b[0:N]) copyout(out[0:9 * N], u[0:3 * N])
    for (int i = 0; i < N; i++) {
        int n = a[i], d = b[i], near = n > 5 || n < -5 ? n - n / 7 : n;
        out[i] = n / d;
        out[N + i] = near % d;
        out[2 * N + i] = (near / 3 + 1) / d;
        unsigned v = n, w = d;
        u[i] = v / w;
        u[N + i] = (v ^ 0xffffffffu) / w;
        u[2 * N + i] = (v + 12345) % w;
    }
#pragma acc parallel loop copyin(a[0:N], b[0:N]) copy(out[0:9 * N])
    for (long i = 0; i < N; i++) {
        int d = b[i] / 2, sum = 0;
        d = d > 1 ? d : 2 - d % 1000;
        for (int k = 0; k < 40; k++) {
            sum += AROUND(a[i] / 2 - k * 3, d);
            if (k == 20)
                d = d / 2 + 1;
        }
        out[3 * N + i] = sum;
    }
    int n = 23;
#pragma acc parallel loop collapse(2) copyin(a[0:N]) copy(out[0:9 * N])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[4 * N + i * n + j] = a[place(i - 1, j, n)] ^ a[place(i + 1, j, n)] << 1 ^ a[place(i, j - 1, n)] << 2 ^ a[place(i, j + 1, n)] << 3;
#pragma acc parallel loop gang copyin(b[0:N]) copy(out[0:9 * N])
    for (unsigned i = 0; i < N; i++) {
        unsigned base = (unsigned)b[i] % 100 + 2, half = 1 + i % 7;
#pragma acc loop vector
        for (unsigned k = 0; k < 4; k++) {
            unsigned left = 0xfffffff0u - i * (k + 1), sum = k % half;
            while (left) {
                sum = sum * 3 + left % base;
                left /= base;
            }
            out[(5 + k) * N + i] = sum;
        }
    }
    for (int k = 0; k < 9; k++) {
        unsigned sum = 0, other = 0;
        for (int i = 0; i < (k == 4 ? n * n : N); i++) {
            sum = sum * 31 + out[k * N + i];
            other = other * 31 + (k < 3 ? u[k * N + i] : 0);
        }
        printf("%d %u %u\n", k, sum, other);
    }
    free(a), free(b), free(out), free(u);
    return 0;
}
