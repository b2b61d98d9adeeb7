// Scans by all threads: inclusive and exclusive, several operators and variables, in `parallel`, beside statements, in order where
// an iteration writes more, counted downwards, with few iterations.
// cflags: -fopenmp
// expect-output: scans.expect
// launches: 7
#include <math.h>
#include <omp.h>
#include <stdio.h>
#define N 1000

static int a[N], b[N], c[N];
static double x[N], y[N];

static double weight(int i) { return sqrt((double)(i % 17)) > 2 ? 1 : 0.5; }

static long check(const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + v[i]) % 1000003;
    return sum;
}

int main(void)
{
    int s = 5, n = N;
    for (int i = 0; i < N; i++)
        a[i] = i % 7 - 2;
    #pragma omp target map(tofrom: s, b) map(to: a)
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < n; i++) {
        s += a[i];
        #pragma omp scan inclusive(s)
        b[i] = s;
    }
    printf("%d %ld\n", s, check(b, N));

    // Exclusive.
    s = 0;
    #pragma omp target map(tofrom: s, b, c) map(to: a)
    #pragma omp parallel for reduction(inscan, +: s) num_threads(48)
    for (int i = 0; i < n; i++) {
        {
            b[n - 1 - i] = s;
            c[i] = n - 1 - i;
        }
        #pragma omp scan exclusive(s)
        s += a[n - 1 - i] + (i % 5 == 0 ? 3 : 0);
    }
    printf("%d %ld %ld\n", s, check(b, N), check(c, N));

    // Two variables and operators, with a function and lanes; floating-point sums that are exact.
    double most = -1, sum = 0;
    #pragma omp target map(tofrom: most, sum, x, y)
    #pragma omp parallel for simd reduction(inscan, max: most) reduction(inscan, +: sum)
    for (int i = 0; i < n; i++) {
        {
            double w = weight(i);
            for (int k = 0; k < 3; k++)
                sum += w;
            if (i * 37 % 101 > most)
                most = i * 37 % 101;
        }
        #pragma omp scan inclusive(most, sum)
        {
            x[i] = most;
            y[i] = sum;
        }
    }
    printf("%g %g %g %g\n", most, sum, x[20], y[N / 2]);

    // In a region of its own, between statements, and nowait.
    int seen = 0, p = 1;
    #pragma omp target map(tofrom: s, p, b, c, seen) map(to: a)
    #pragma omp parallel num_threads(33)
    {
        #pragma omp single
        s = 1;
        #pragma omp for reduction(inscan, +: s)
        for (int i = n - 1; i >= 0; i -= 3) {
            s += a[i];
            #pragma omp scan inclusive(s)
            b[i] = s;
        }
        #pragma omp for reduction(inscan, ^: p)
        for (int i = 0; i < 10; i++) {
            c[i] = p;
            #pragma omp scan exclusive(p)
            p ^= a[i] * (1 << (i & 3));
        }
        #pragma omp atomic
        seen++;
    }
    printf("%d %d %d %ld %ld\n", s, p, seen, check(b, N), check(c, N));

    // The part that gives a value writes more than its own.
    s = 0;
    #pragma omp target map(tofrom: s, a, b)
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < n; i++) {
        {
            a[i] += 1;
            s += a[i];
        }
        #pragma omp scan inclusive(s)
        b[i] = s;
    }
    printf("%d %ld %ld\n", s, check(a, N), check(b, N));

    // Of no iteration, and of one.
    for (int m = 0; m < 2; m++) {
        s = 7;
        #pragma omp target map(tofrom: s, b) map(to: a)
    #pragma omp parallel for reduction(inscan, +: s)
        for (int i = 0; i < m; i++) {
            b[i] = s;
            #pragma omp scan exclusive(s)
            s += a[i];
        }
        printf("%d %d\n", s, b[0]);
    }
    return 0;
}
