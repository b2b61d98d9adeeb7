// Loops that count what nests would, and find their places by quotients and remainders, shifts and masks: of all types, of several
// dimensions, and where they count something else.
// launches: 45
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { A = 5, B = 40, C = 3, D = 4 };

static void transposed(size_t n, size_t m, const double *restrict a, double *restrict t)
{
    size_t total = n * m;
#pragma acc parallel loop present(a[0:total], t[0:total])
    for (size_t k = 0; k < total; k++) {
        size_t row = k / n, col = k % n;
        t[k] = a[col * m + row];
    }
}

static void product(int n, int m, int p, const float *a, const float *b, float *c)
{
    const int total = n * m;
#pragma acc parallel loop gang vector present(a[0:n * p], b[0:p * m], c[0:total])
    for (int id = 0; id < total; id++) {
        int i = id / m, j = id - i * m;
        const float *pa = a + i * p, *pb = b + j;
        float dot = 0;
        for (int k = 0; k < p; k++, pb += m)
            dot += pa[k] * *pb;
        c[id] = dot;
    }
}

// Five dimensions, of which one is not a constant.
static void permuted(long n, const double *restrict from, double *restrict to)
{
    const long sc = D * A, sb = sc * C, sa = sb * B, total = sa * n;
#pragma acc kernels loop independent present(from[0:total], to[0:total])
    for (long t = 0; t < total; t++) {
        long rest = t;
        const long b = rest % B;
        rest /= B;
        const long d = rest % D;
        rest /= D;
        const long a = rest % n;
        rest /= n;
        const long c = rest % C, e = rest / C;
        to[t] = from[a * sa + b * sb + c * sc + d * A + e] * 2;
    }
}

// Part of the last row is missing, or there is none.
static void window(unsigned total, unsigned n, const int *from, int *to)
{
#pragma acc parallel loop present(from[0:total], to[0:total])
    for (unsigned p = 0; p < total; p++) {
        unsigned row = p / n, col = p % n;
        int sum = 0;
        for (unsigned a = row > 0 ? row - 1 : row; a <= row + 1; a++)
            for (unsigned b = col > 0 ? col - 1 : col; b <= col + 1 && b < n; b++)
                if (a * n + b < total)
                    sum += from[a * n + b];
        to[p] = sum;
    }
}

static void shifted(int total, const short *from, short *to)
{
#pragma acc parallel loop present(from[0:total], to[0:total])
    for (int t = 0; t < total; t++) {
        int row = t >> 6, col = t & 63, high = t >> 9;
        to[t] = from[col * (total >> 6) + row] + high;
    }
}

// Wider than the counter, with a product for a divisor.
static void cubes(int n, long m, const int32_t *from, int64_t *to)
{
    int total = n * (int)m * n;
#pragma acc parallel loop gang vector vector_length(64) present(from[0:total], to[0:total])
    for (int s = 0; s < total; s++) {
        long x = s % n, y = s / n % m, z = s / (n * m);
        long sum = 0;
        for (int k = 0; k < n; k++)
            sum += from[(z * m + y) * n + k] * (k + 1) + from[(k * m + y) * n + x];
        to[s] = sum + 1000 * z;
    }
}

// The product of the lengths goes round: 65536 * 65537 is 65536 in 32 bits, of 65536 columns one row.
static void wrapped(uint32_t n, uint32_t m, uint32_t *to)
{
#pragma acc parallel loop present(to[0:65536])
    for (uint32_t t = 0; t < n * m; t++) {
        uint32_t sum = t % m;
        for (uint32_t k = 0; k < 3; k++)
            sum += t / m + k + t / (n * m);
        to[t] = sum;
    }
}

#define CHECK(v, from, to)                   \
    for (int i = (from); i < (to); i++)      \
    sum = 31 * sum + (uint64_t)(int64_t)(v)[i]

int main(void)
{
    enum { ALL = 60000 };
    double *x = malloc(ALL * sizeof *x), *y = calloc(ALL, sizeof *y);
    uint64_t sum = 0;
    float *p = calloc(ALL, sizeof *p);
    int *u = malloc(ALL * sizeof *u), *v = calloc(ALL, sizeof *v);
    short *s = malloc(8192 * sizeof *s), *t = calloc(8192, sizeof *t);
    int64_t *w = calloc(ALL, sizeof *w);
    uint32_t *z = calloc(65536, sizeof *z);
    for (int k = 0; k < ALL; k++) {
        x[k] = k % 1013 - 500;
        u[k] = k * 7 % 101;
        p[k] = k % 13;
    }
    for (int k = 0; k < 8192; k++)
        s[k] = k % 777;
#pragma acc data copyin(x[0:ALL], u[0:ALL], s[0:8192]) copy(y[0:ALL], p[0:ALL], v[0:ALL], t[0:8192], w[0:ALL], z[0:65536])
    {
        size_t sizes[][2] = {{96, 100}, {100, 96}, {32, 3}, {3, 32}, {1, 64}, {64, 1}, {33, 31}, {0, 40}, {40, 0}};
        for (int k = 0; k < 9; k++) {
            if (sizes[k][0] > 0)
                transposed(sizes[k][0], sizes[k][1], x, y);
            if (sizes[k][1] > 0)
                product(sizes[k][0], sizes[k][1], 30, p, p + 3100, p + 6200);
#pragma acc update self(y[0:ALL], p[0:ALL])
            CHECK(y, 0, 9600);
            CHECK(p, 6200, 15800);
        }
        for (int n = 6; n > 0; n -= 2)
            permuted(n, x, y);
        for (unsigned n = 1; n < 260; n += 37) {
            window(n * 40, n, u, v);
            window(5000 + n, n + 1, u, v);
        }
        for (int n = 64; n <= 8192; n *= 4)
            shifted(n, s, t);
        cubes(16, 32, u, w);
        cubes(32, 9, u, w);
        cubes(3, 100, u, w);
        for (int n = 1; n < 40; n += 13)
            cubes(n, 40 - n, u, w);
        wrapped(65536, 65537, z);
        wrapped(256, 256, z);
    }
    CHECK(y, 0, ALL);
    CHECK(v, 0, ALL);
    CHECK(w, 0, ALL);
    CHECK(t, 0, 8192);
    CHECK(z, 0, 65536);
    printf("%llu\n", (unsigned long long)sum);
    free(x), free(y), free(p), free(u), free(v), free(s), free(t), free(w), free(z);
    return 0;
}
