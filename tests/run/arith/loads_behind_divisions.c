// What is loaded behind divisions and mathematical functions: with addresses that are known ahead of them, that depend on them, and
// in memory that is stored to in between.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define AT(array, i) (array)[(i)]

static void plain(int n, const double *restrict a, const int *restrict index, double *restrict out)
{
#pragma acc parallel loop copyin(a[0:n], index[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        double root = sqrt(a[i]);
        double quotient = a[i] / (1 + root);
        double there = a[index[i]];
        int late = (int)(quotient * 7) % n;
        out[i] = quotient + there + a[late] + a[n - 1 - i];
    }
}

// Each element is stored to before it is loaded again, by the same iteration.
static void stored(size_t n, double *a, double *same, double *b)
{
#pragma acc parallel loop present(a[0:n], same[0:n], b[0:n])
    for (size_t i = 0; i < n; i++) {
        double quotient = a[i] / (b[i] + 1);
        a[i] = quotient;
        double again = same[i];
        b[i] = again * 2 + exp(again / 100);
        a[i] += b[i];
    }
}

struct pair {
    float weight, value;
};

#pragma acc routine seq
static float score(const struct pair *p, unsigned at, unsigned n)
{
    float scale = 1 / p[at].weight;
    unsigned next = (at + 1) % n;
    if (scale > 0.5f)
        scale = logf(1 + scale) / p[next].weight;
    return scale * p[next].value + p[at].value;
}

static void behind_branches(unsigned n, const struct pair *p, float *out)
{
#pragma acc parallel loop gang vector copyin(p[0:n]) copyout(out[0:n])
    for (unsigned i = 0; i < n; i++) {
        unsigned k = i;
        float sum = 0;
        for (int turn = 0; turn < 3; turn++) {
            sum += score(p, k, n) / (1 + turn);
            k = (k * 5 + 3) % n;
        }
        AT(out, i) = sum + AT(p, k).value;
    }
}

// The remainder is of what the atomic has left.
static void counted(int n, const int *a, int *bins, int *out)
{
#pragma acc parallel loop copyin(a[0:n]) copy(bins[0:8]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int bin = a[i] % (1 + a[(i + 1) % n] % 7);
#pragma acc atomic update
        bins[bin]++;
        out[i] = bin + a[(i + 2) % n] / (1 + bin);
    }
}

int main(void)
{
    static double a[N], b[N], out[N];
    static float scores[N];
    static int index[N], rests[N], bins[8];
    static struct pair p[N];
    for (int i = 0; i < N; i++) {
        a[i] = (i * 37) % 101 + 0.5;
        b[i] = (i * 11) % 13;
        index[i] = (i * 7) % N;
        p[i] = (struct pair){1 + i % 9, (i * 3) % 17};
    }
    plain(N, a, index, out);
#pragma acc data copy(a, b)
    stored(N, a, a, b);
    behind_branches(N, p, scores);
    counted(N, index, bins, rests);
    double sums[4] = {0};
    for (int i = 0; i < N; i++) {
        sums[0] += out[i] * (i % 5);
        sums[1] += a[i] + b[i] * (i % 3);
        sums[2] += scores[i] * (i % 7);
        sums[3] += rests[i] * (i % 11);
    }
    printf("%.8g %.8g %.5g %g\n", sums[0], sums[1], sums[2], sums[3]);
    for (int k = 0; k < 8; k++)
        printf("%d ", bins[k]);
    printf("\n");
    return 0;
}
