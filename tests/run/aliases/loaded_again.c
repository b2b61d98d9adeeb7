// What is loaded twice, or loaded behind a store to it: with stores between that may or may not be to the same place, in branches, loops and
// functions, by several names of one array.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { N = 200 };

static double in[N], out[6][N];
static int numbers[N], kept[3][N];

static void twice(int n, const double *restrict a, double *restrict o)
{
#pragma acc parallel loop copyin(a[0:n]) copy(o[0:n])
    for (int i = 0; i < n; i++) {
        double root = sqrt(a[i]) / (a[i] + 1);
        o[i] = a[i] * root + log(a[i] + 2) / a[i];
        o[i] = o[i] + a[i];
    }
}

// The stores are to what is loaded, or beside it.
static void overlapping(size_t n, double *a, double *o)
{
    a[0] = 3;
#pragma acc parallel loop seq copy(a[0:n])
    for (size_t i = 0; i < n - 1; i++) {
        double *p = a + i, *q = p + 1;
        double before = *q;
        *p = *q + 1;
        *q = *p + *q - before;
        *p += *q * 0.25;
    }
#pragma acc parallel loop copyin(a[0:n]) copy(o[0:n])
    for (size_t i = 0; i < n; i++)
        o[i] = a[i] * 2 + a[i];
}

static void same(unsigned n, int *a, int *b)
{
    // Two names of one array.
#pragma acc parallel loop present(a[0:n], b[0:n])
    for (unsigned i = 0; i < n; i++) {
        int x = a[i];
        b[i] = x + 5;
        int y = a[i];
        a[i] = y * 2;
        kept[0][i] = x + 1000 * y + 7 * b[i];
    }
}

static void branches(int n)
{
#pragma acc parallel loop copyin(in) copy(numbers, kept, out)
    for (int i = 0; i < n; i++) {
        int x = numbers[i];
        if (x % 3 == 0)
            numbers[i] = x + 1;
        else if (numbers[i] % 3 == 1)
            x = numbers[i] + 4;
        kept[1][i] = numbers[i] + x;
        for (int k = 0; k < 4; k++) {
            kept[1][i] += numbers[i] + k;
            if (k == 2)
                numbers[i] -= 9;
        }
        out[2][i] = 0;
        for (int k = 0; k < 5; k++)
            out[2][i] += in[i] * k + in[(i + k) % n];
        switch (numbers[i] & 3) {
        case 0:
            numbers[i] = 17;
        case 1:
            kept[2][i] = numbers[i];
            break;
        default:
            kept[2][i] = numbers[i] - 1;
        }
#pragma acc atomic
        numbers[i] += 2;
        kept[2][i] += numbers[i];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = 1 + i * 31 % 53 / 4.0, numbers[i] = i * 17 % 41;
    twice(N, in, out[0]);
    branches(N);
#pragma acc data copy(numbers) copy(kept)
    same(N, numbers, numbers);
    overlapping(N, in, out[1]);
    double sum = 0;
    long whole = 0;
    for (int i = 0; i < N; i++) {
        for (int v = 0; v < 3; v++)
            sum += out[v][i] * (1 + (i + v) % 7), whole += (long)kept[v][i] * (1 + (i + v) % 7);
        whole += numbers[i] * 3;
    }
    printf("%.6f %ld\n", sum, whole);
    return 0;
}
