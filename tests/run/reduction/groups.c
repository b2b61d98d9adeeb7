// Sums for groups in small arrays that are reduced, where the group is a variable: elements of every so many, structs, arrays of arrays;
// and with too many groups to choose from.
#include <stdio.h>

enum { N = 3000, GROUPS = 4, SUMS = 3, MANY = 12 };

static void flat(int n, const int *kind, const double *x, double *result)
{
    double sums[GROUPS * SUMS];
    for (int k = 0; k < GROUPS * SUMS; k++)
        sums[k] = k;
#pragma acc parallel loop copyin(kind[0:n], x[0:n]) reduction(+ : sums)
    for (int i = 0; i < n; i++) {
        if (kind[i] < 0)
            continue;
        int group = (kind[i] > 4 ? 1 : 0) * 2 + (kind[i] % 2 == 1);
        sums[group * SUMS] += 1;
        sums[group * SUMS + 1] += x[i];
        sums[group * SUMS + 2] += x[i] * x[i];
    }
    for (int k = 0; k < GROUPS * SUMS; k++)
        result[k] = sums[k];
}

static void rows(size_t n, const int *kind, const double *x, double *result)
{
    double sums[GROUPS][SUMS] = {{0}};
#pragma acc parallel loop gang vector copyin(kind[0:n], x[0:n]) reduction(+ : sums)
    for (size_t i = 0; i < n; ++i) {
        const unsigned group = (unsigned)kind[i] & 3u;
        double *own = sums[group];
        own[0] += 1;
        own[1] += x[i];
        *(own + 2) += 2 * x[i];
    }
    for (int k = 0; k < GROUPS * SUMS; k++)
        result[k] = sums[k / SUMS][k % SUMS];
}

// Least and most of each group; every third element, from the end.
static void extremes(int n, const int *kind, const double *x, int *result)
{
    int least[GROUPS * 2], most[GROUPS * 2];
    for (int k = 0; k < GROUPS * 2; k++)
        least[k] = 1000, most[k] = -1000;
#pragma acc parallel loop copyin(kind[0:n], x[0:n]) reduction(min : least) reduction(max : most)
    for (int i = 0; i < n; i++) {
        const char group = (char)(kind[i] & 3);
        const int value = (int)x[i];
        int *to = &least[2 * GROUPS - 2 - 2 * group];
        *to = value < *to ? value : *to;
        if (value > most[2 * group + 1])
            most[2 * group + 1] = value;
        if (value == 17)
            most[0] = most[0] > i ? most[0] : i;
    }
    for (int k = 0; k < GROUPS * 2; k++)
        result[k] = least[k], result[2 * GROUPS + k] = most[k];
}

static void many(int n, const int *kind, const double *x, long *result)
{
    long sums[MANY * 2] = {0};
#pragma acc parallel loop copyin(kind[0:n], x[0:n]) reduction(+ : sums)
    for (int i = 0; i < n; i++) {
        int group = (kind[i] + 1 + i) % MANY;
        sums[group * 2] += 1;
        sums[group * 2 + 1] += (long)x[i];
    }
    for (int k = 0; k < MANY * 2; k++)
        result[k] = sums[k];
}

int main(void)
{
    static int kind[N];
    static double x[N];
    double result[GROUPS * SUMS];
    int ends[GROUPS * 4];
    long counts[MANY * 2];
    for (int i = 0; i < N; i++) {
        kind[i] = i * 7 % 11 - 1;
        x[i] = i * 37 % 101;
    }
    flat(N, kind, x, result);
    for (int k = 0; k < GROUPS * SUMS; k++)
        printf("%.12g ", result[k]);
    rows(N, kind, x, result);
    for (int k = 0; k < GROUPS * SUMS; k++)
        printf("%.12g ", result[k]);
    extremes(N, kind, x, ends);
    for (int k = 0; k < GROUPS * 4; k++)
        printf("%d ", ends[k]);
    many(N, kind, x, counts);
    for (int k = 0; k < MANY * 2; k++)
        printf("%ld ", counts[k]);
    printf("\n");
    return 0;
}
