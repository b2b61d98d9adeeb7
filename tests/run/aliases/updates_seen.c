// What an iteration has updated atomically it may read and write behind that, by another pointer.
// launches: 14
#include <stdio.h>
#include <string.h>

enum { N = 24 };

static long hash(const void *memory, size_t bytes)
{
    long all = 7;
    for (size_t i = 0; i < bytes; i++)
        all = (all * 131 + ((const unsigned char *)memory)[i]) % 1000000007;
    return all;
}

static void plain(int n, int *h, int *p)
{
#pragma acc parallel loop present(h[0:n], p[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        p[i] += i;
        h[i] *= 2;
#pragma acc atomic
        p[i] += 1;
    }
}

static void in_loop(unsigned n, const int *h, int *p, int *out)
{
#pragma acc parallel loop present(h[0:n], p[0:n], out[0:n])
    for (unsigned i = 0; i < n; ++i)
        for (int j = 0; j < 5; ++j) {
#pragma acc atomic update
            p[i] += j;
            out[i] += h[i];
        }
}

static void bytes(int n, const unsigned char *b, unsigned *p, unsigned *out)
{
#pragma acc parallel loop present(b[0:4 * n], p[0:n], out[0:n])
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 4; c++) {
            unsigned byte = b[4 * i + c];
#pragma acc atomic
            p[i] += byte + 77 * c;
            out[i] = out[i] * 5 + byte;
        }
        out[i] += b[4 * i + 1];
    }
}

static void written_bytes(int n, unsigned char *b, int *p)
{
#pragma acc parallel loop present(b[0:4 * n], p[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        p[i] += 1000 * i;
        b[4 * i + 1] = 3;
#pragma acc atomic
        p[i] += 5;
    }
}

static void of_lanes(size_t n, double *h, double *q, double *out)
{
#pragma acc parallel loop gang present(h[0:n], q[0:n], out[0:n])
    for (size_t i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < 40; j++) {
#pragma acc atomic update
            h[i] += j;
        }
        double most = 0;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < 40; j++)
            most = most > q[i] + j ? most : q[i] + j;
        out[i] += most;
        q[i] = -q[i];
#pragma acc loop vector
        for (int j = 0; j < 40; j++) {
#pragma acc atomic update
            h[i] -= 0.5;
        }
    }
}

static void masks(int n, unsigned *h, unsigned *q)
{
#pragma acc parallel loop present(h[0:n], q[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        h[i] |= 1u << i;
        if (q[i] & 1u << i)
            q[i] ^= 3;
#pragma acc atomic
        h[i] |= 64;
    }
}

static void captured(int n, int *h, int *q, int *out)
{
#pragma acc parallel loop present(h[0:n], q[0:n], out[0:n])
    for (int i = 0; i < n; i++) {
        int v;
#pragma acc atomic
        h[i] += 9;
#pragma acc atomic capture
        v = q[i]++;
#pragma acc atomic read
        out[i] = q[i];
        out[i] += 3 * v;
    }
}

static void total(int n, int *sum, const int *seen, int *out)
{
#pragma acc parallel loop present(sum[0:1], seen[0:1], out[0:n])
    for (int i = 0; i < n; i++)
        if (i == 3) {
#pragma acc atomic
            sum[0] += 4;
            out[i] += seen[0];
        }
}

// Spread out, so that nobody knows before how long it is.
static void counts(int n, const int *key, int *h, long *sum)
{
    long all = 0;
#pragma acc parallel loop present(key[0:n], h[0:n]) reduction(+ : all)
    for (int i = 0; i < n; i++) {
        int k = key[i];
        for (int j = 0; j < 3; j++) {
#pragma acc atomic
            h[(k + j) % n]++;
            all += key[i];
        }
    }
    *sum += all;
}

struct cell { short kind; int count; float sum[3]; };

// Elements in structs, and what stands between them.
static void cells(int n, struct cell *c, const int *q, const float *r, const signed char *kind, int *out)
{
#pragma acc parallel loop present(c[0:n], q[0:5 * n], r[0:5 * n], kind[0:20 * n], out[0:n])
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
#pragma acc atomic
            c[i].count += 1 + k;
#pragma acc atomic
            c[i].sum[k] += 0.5f * i;
            out[i] += q[5 * i + 1] + (int)(4 * r[5 * i + 2 + k]);
        }
        out[i] = 3 * out[i] + kind[20 * i] + kind[20 * i + 4];
    }
}

static void of_variable(int n, const int *q, const int *other, int *out)
{
    struct { int all[2][N]; float rest; } t = {{{0}}, 0};
#pragma acc parallel loop gang copy(t) present(q[0:n], other[0:n], out[0:n])
    for (int i = 0; i < 4; i++)
#pragma acc loop vector
        for (int k = i; k < n; k += 4) {
#pragma acc atomic
            t.all[0][other[k] % N]++;
#pragma acc atomic
            t.all[1][q[k] & 7] -= 2;
#pragma acc atomic
            t.rest += 0.25f;
            out[k] += q[k];
        }
#pragma acc update self(out[0:n])
    for (int i = 0; i < N; i++)
        out[i] = out[i] * 3 + t.all[0][i] + t.all[1][i] + (int)(4 * t.rest);
}

int main(void)
{
    int h[N], other[N], out[N] = {0};
    for (int i = 0; i < N; i++)
        h[i] = i * 1234567, other[i] = 3 * i;
    double d[N], e[N] = {0};
    for (int i = 0; i < N; i++)
        d[i] = i / 4.0;
    long sum = 0;
    struct cell c[N];
    memset(c, 0, sizeof c);
    for (int i = 0; i < N; i++)
        c[i] = (struct cell){i, 2 * i, {i, i + 0.25f, 1}};
#pragma acc data copy(c, out)
    cells(N, c, (int *)c, (float *)c, (signed char *)c, out);
    for (int i = 0; i < N; i++)
        sum = sum * 3 + c[i].kind + 5 * c[i].count + (long)(8 * (c[i].sum[0] + 3 * c[i].sum[1] + 9 * c[i].sum[2]));
#pragma acc data copy(h, other, out)
    {
        of_variable(N, h, other, out);
#pragma acc update device(out)
    }
    sum = sum % 1000003 + hash(out, sizeof out);
#pragma acc data copy(h, other, out, d, e)
    {
        plain(N, h, h);
        plain(N, h, other);
        in_loop(N, h, h, out);
        in_loop(N, other, h, out);
        bytes(N, (unsigned char *)h, (unsigned *)h, (unsigned *)out);
        written_bytes(N, (unsigned char *)h, h);
        of_lanes(N, d, d, e);
        masks(N, (unsigned *)h, (unsigned *)h);
        captured(N, h, h, out);
        captured(N, h, other, out);
        total(N, h, h, out);
        counts(N, other, h, &sum);
    }
    printf("%ld %ld %ld %ld %ld %ld\n", hash(h, sizeof h), hash(other, sizeof other), hash(out, sizeof out), hash(d, sizeof d), hash(e, sizeof e), sum);
    return 0;
}
