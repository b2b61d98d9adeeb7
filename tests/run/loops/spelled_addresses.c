// One window of an image and one column of a matrix, in several spellings of the addresses: types, casts, pointers that are moved
// on, rows of arrays, wrapping numbers. All give the same.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { H = 150, W = 201 };

static double in[H * W], out[6][H * W];

static void ints(int w, const double *restrict a, double *restrict o)
{
#pragma acc parallel loop collapse(2) copyin(a[0:H * W]) copy(o[0:H * W])
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < w - 1; x++)
            o[y * w + x] = a[(y - 1) * w + x - 1] + 2 * a[(y - 1) * w + x] + a[(y - 1) * w + x + 1] + 3 * a[y * w + x - 1] +
                           a[y * w + x + 1] + a[(y + 1) * w + x - 1] - a[(y + 1) * w + x] + a[(y + 1) * w + x + 1];
}

#define AT(p, y, x) (p)[(size_t)(y) * w + (x)]
static void wide(size_t w, double *a, double *o)
{
#pragma acc parallel loop collapse(2) copyin(a[0:H * W]) copy(o[0:H * W])
    for (size_t y = 1; y < H - 1; y++)
        for (size_t x = 1; x < w - 1; x++) {
            double s = 0;
            const double factor[9] = {1, 2, 1, 3, 0, 1, 1, -1, 1};
            for (unsigned i = 0; i < 3; i++)
                for (unsigned j = 0; j < 3; j++)
                    if (factor[i * 3 + j] != 0)
                        s += factor[i * 3 + j] * AT(a, y + i - 1, x + j - 1);
            AT(o, y, x) = s;
        }
}

static void rows(unsigned w, double *pa, double *po)
{
    double(*a)[w] = (double(*)[w])pa, (*o)[w] = (double(*)[w])po;
#pragma acc parallel loop gang copyin(a[0:H][0:w]) copy(o[0:H][0:w])
    for (unsigned y = 1; y < H - 1; y++)
#pragma acc loop vector
        for (unsigned x = 1; x < w - 1; x++)
            o[y][x] = a[y - 1][x - 1] + 2 * a[y - 1][x] + a[y - 1][x + 1] + 3 * a[y][x - 1] + a[y][x + 1] + a[y + 1][x - 1] -
                      a[y + 1][x] + a[y + 1][x + 1];
}

static void constant_rows(double (*a)[W], double (*o)[W])
{
#pragma acc parallel loop collapse(2) copyin(a[0:H]) copy(o[0:H])
    for (int y = 1; y < H - 1; y++)
        for (long x = 1; x < W - 1; x++)
            o[y][x] = a[y - 1][x - 1] + 2 * a[y - 1][x] + a[y - 1][x + 1] + 3 * a[y][x - 1] + a[y][x + 1] + a[y + 1][x - 1] -
                      a[y + 1][x] + a[y + 1][x + 1];
}

static void pointers(ptrdiff_t w, double *a, double *o)
{
#pragma acc parallel loop collapse(2) copyin(a[0:H * W]) copy(o[0:H * W])
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++) {
            const double *p = a + (y - 1) * w + x - 1, *q = p + w, *r = q + w;
            o[y * w + x] = *p + 2 * p[1] + p[2] + 3 * *q + q[2] + *r - r[1] + r[2];
        }
}

static void moved(int w, double *a, double *o)
{
#pragma acc parallel loop copyin(a[0:H * W]) copy(o[0:H * W])
    for (int x = 1; x < w - 1; x++) {
        const double *p = a + x;
        size_t at = w + x;
        int below = 2 * w + x;
        for (int y = 1; y < H - 1; y++, at += w) {
            o[at] = p[-1] + 2 * p[0] + p[1] + 3 * p[w - 1] + p[w + 1] + a[below - 1] - a[below] + a[below + 1];
            p += w;
            below += w;
        }
    }
}

// What moves on in some iterations only, in other directions, in an inner loop, by what wraps, and what is read behind the loop.
static void odd(int n, unsigned big, const double *a, double *o)
{
#pragma acc parallel loop copyin(a[0:H * W]) copy(o[0:n * 8])
    for (int i = 0; i < n; i++) {
        const double *p = a + i, *sometimes = a, *both = a + i, *down = a + 5000;
        unsigned wraps = big;
        int index = 3;
        size_t none = 7;
        double s = 0, t = 0;
        for (int k = 2; k < 2 + i % 9; k++) {
            s += *p * k;
            if (k % 3 == 0)
                sometimes += 5;
            s += *sometimes;
            p += i;
            for (int l = 0; l < k; l++)
                t += *both++;
            both += 2;
            t += *--down;
            index -= 1;
            wraps += 0x10000000u;
            t += a[(wraps >> 20) + index + 20];
        }
        for (unsigned k = 9; k < (unsigned)(i % 10); k++)
            none += i;
        for (size_t k = 5; k < 11; k++) {
            s += a[none];
            none += 3;
        }
        o[8 * i] = s;
        o[8 * i + 1] = t;
        o[8 * i + 2] = p - a;
        o[8 * i + 3] = sometimes - a;
        o[8 * i + 4] = both - a;
        o[8 * i + 5] = down - a;
        o[8 * i + 6] = index;
        o[8 * i + 7] = none;
    }
}

int main(void)
{
    for (int k = 0; k < H * W; k++)
        in[k] = k * 7 % 31;
    ints(W, in, out[0]);
    wide(W, in, out[1]);
    rows(W, in, out[2]);
    constant_rows((double(*)[W])in, (double(*)[W])out[3]);
    pointers(W, in, out[4]);
    moved(W, in, out[5]);
    for (int v = 0; v < 6; v++) {
        double sum = 0;
        int same = 0;
        for (int k = 0; k < H * W; k++) {
            sum += out[v][k] * (k % 11);
            same += out[v][k] == out[0][k];
        }
        printf("%d: %g %d\n", v, sum, same == H * W);
    }
    static double o[64 * 8];
    odd(64, 0xf0000000u, in, o);
    double sums[8] = {0};
    for (int k = 0; k < 64 * 8; k++)
        sums[k % 8] += o[k] * (1 + k / 8);
    for (int k = 0; k < 8; k++)
        printf("%g ", sums[k]);
    printf("\n");
    return 0;
}
