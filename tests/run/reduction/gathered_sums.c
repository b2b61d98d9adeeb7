// Loops with a directive that all add to one element, as in products of matrices: each spelling of the sum is a reduction of its own.
// cflags: -Wno-openacc-left-out-reduction
#include <stdio.h>

enum { N = 37, LONG = 150 };

static double a[N][LONG], b[LONG][N], c[N][N];
static int counts[N];
static unsigned bits[N];
static struct { double sum; int parts[3]; } rows[N];

static void of_arrays(int n, int length, double alpha)
{
#pragma acc parallel copyin(a, b) copy(c)
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
#pragma acc loop
                for (int k = 0; k < length; k++)
                    c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static void of_pointers(int n, int length, const double *restrict from, const double *restrict by, double *restrict to)
{
#pragma acc parallel copyin(from[0:n * length], by[0:length * n]) copy(to[0:n * n])
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
#pragma acc loop
            for (int j = 0; j < n; j++) {
                to[i * n + j] *= 2;
#pragma acc loop
                for (int k = 0; k < length; k++) {
                    to[i * n + j] = from[i * length + k] + to[i * n + j];
                    to[i * n + j] -= by[k * n + j] / 2;
                }
                to[i * n + j] += 1;
            }
    }
}

// Several sums, only some iterations add, and some loops have none: of those the address leads nowhere.
static void of_members(int n, int *where)
{
#pragma acc parallel loop gang copyin(where[0:n]) copy(rows, counts, bits)
    for (int i = 0; i < n; i++) {
        int at = where[i];
#pragma acc loop vector
        for (int k = 0; k < i; k++) {
            if (k % 3)
                rows[at].sum += k;
            rows[at].parts[1] += k & 1;
            counts[at]++;
            bits[at] |= 1u << (k & 31);
        }
    }
}

// Iterations of the loop around come to the same place.
static void shared(int n, int length)
{
#pragma acc parallel loop gang copy(counts)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int k = 0; k < length; k++)
            counts[i % 4] += k;
    }
}

// The address changes in the loop: a row of elements, and a pointer that moves on.
static void moving(int n, int length)
{
#pragma acc parallel loop gang copy(counts)
    for (int i = 0; i < n / 2; i++) {
        int at = 2 * i;
#pragma acc loop seq
        for (int k = 0; k < length; k++) {
            counts[at] += k;
            at = 2 * i + (k & 1);
        }
    }
}

int main(void)
{
    int where[N];
    for (int i = 0; i < N; i++) {
        where[i] = i ? (i * 5) % N : 1 << 28;
        for (int k = 0; k < LONG; k++) {
            a[i][k] = (i * 7 + k) % 11;
            b[k][i] = (i * 3 + k * 5) % 13;
        }
    }
    of_arrays(N, LONG, 0.5);
    of_pointers(N, LONG, &a[0][0], &b[0][0], &c[0][0]);
    of_members(N, where);
    shared(N, LONG);
    moving(N, 3);
    double sum = 0;
    long all = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sum += c[i][j] * (1 + (i + 2 * j) % 7);
        all += counts[i] * (1 + i % 5) + bits[i] % 1000 + rows[i].parts[1];
        sum += rows[i].sum;
    }
    printf("%.3f %ld\n", sum, all);
    return 0;
}
