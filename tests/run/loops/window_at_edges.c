// Sums over windows that end at the edges of an image: what a branch of the inner loop alone accesses, in several spellings. All
// give the same. The last two come to their branch late, with an index that would have overflowed in the iterations before.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { H = 61, W = 83, R = 4, TAPS = 2 * R + 1 };

static double in[H * W], kernel[TAPS], out[6][H * W];

static void ints(int h, int w, int r, const double *a, const double *k, double *o)
{
#pragma acc parallel loop collapse(2) copyin(a[0:h * w], k[0:2 * r + 1]) copy(o[0:h * w])
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double s = 0;
            for (int d = -r; d <= r; d++) {
                int q = y + d;
                if (q >= 0 && q < h)
                    s += a[q * w + x] * k[d + r];
            }
            o[y * w + x] = s;
        }
}

static void rows(size_t h, size_t w, size_t r, const double *pa, const double *k, double *po)
{
    const double(*a)[w] = (const double(*)[w])pa;
    double(*o)[w] = (double(*)[w])po;
#pragma acc parallel loop gang copyin(a[0:h][0:w], k[0:2 * r + 1]) copy(o[0:h][0:w])
    for (size_t y = 0; y < h; y++)
#pragma acc loop vector
        for (size_t x = 0; x < w; x++) {
            double s = 0;
            for (size_t t = 0; t < 2 * r + 1; t++)
                if (!(y + t < r || y + t - r >= h))
                    s += a[y + t - r][x] * k[t];
            o[y][x] = s;
        }
}

static void pointers(unsigned h, unsigned w, long r, double (*a)[W], const double *k, double (*o)[W])
{
#pragma acc parallel loop collapse(2) copyin(a[0:h], k[0:TAPS]) copy(o[0:h])
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++) {
            const double *tap = k;
            double s = 0;
            for (long d = -r; d <= r; d++, tap++) {
                if ((long)y + d < 0)
                    continue;
                if ((long)y + d > (long)h - 1)
                    s += 0;
                else
                    s += *tap * a[(long)y + d][x];
            }
            o[y][x] = s;
        }
}

// Both arms access the same row, one of them an element further, and a condition that waits for what is loaded.
static void arms(int n, const double *a, const double *k, double *o)
{
#pragma acc parallel loop copyin(a[0:H * W], k[0:TAPS]) copy(o[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int t = 0; t < TAPS; t++) {
            if (t % 2 == 0)
                s += a[t * W + i];
            else
                s -= a[t * W + i + 1];
            if (k[t] > 0.5)
                s += a[(t + 1) * W + i] * k[TAPS - 1 - t];
        }
        o[i] = s;
    }
}

static void late(int n, const double *a, double *o)
{
#pragma acc parallel loop copyin(a[0:H * W]) copy(o[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 64; k++)
            if (k >= 60 && k <= 60)
                s += a[(k - 60) * 40000000 + i];
        o[i] = s;
    }
}

static void late_unsigned(unsigned n, const double *a, double *o)
{
#pragma acc parallel loop copyin(a[0:H * W]) copy(o[0:n])
    for (unsigned i = 0; i < n; i++) {
        double s = 0;
        for (unsigned k = 0; k < 64; k++)
            if (k > 59 && k < 63)
                s += a[(k - 60) * 7 + i];
        o[i] = s;
    }
}

int main(void)
{
    for (int i = 0; i < H * W; i++)
        in[i] = i * 37 % 101 / 4.0;
    for (int t = 0; t < TAPS; t++)
        kernel[t] = (t * 5 % 7) / 8.0;
    ints(H, W, R, in, kernel, out[0]);
    rows(H, W, R, in, kernel, out[1]);
    pointers(H, W, R, (double(*)[W])in, kernel, (double(*)[W])out[2]);
    arms(W - 1, in, kernel, out[3]);
    late(W, in, out[4]);
    late_unsigned(W, in, out[5]);
    for (int v = 0; v < 6; v++) {
        double sum = 0;
        for (int i = 0; i < H * W; i++)
            sum += out[v][i] * (1 + i % 13);
        printf("%.6f\n", sum);
    }
    return 0;
}
