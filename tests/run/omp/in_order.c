// Loops that run in order: `ordered`, and scans.
// cflags: -fopenmp
// expect-output: in_order.expect
// launches: 8
#include <stdio.h>
#define N 60

int main(void) {
    int a[N], b[N], order[N], n = 0, ok = 1;
    for (int i = 0; i < N; i++)
        a[i] = i % 7 + 1;

    #pragma omp target map(to: a) map(from: order) map(tofrom: n)
    #pragma omp parallel for ordered num_threads(8)
    for (int i = 0; i < N; i++) {
        int twice = 2 * a[i];
        #pragma omp ordered
        order[n++] = i + twice - twice;
    }
    for (int i = 0; i < N; i++)
        ok &= order[i] == i;
    printf("%d %d\n", n, ok);

    // Iterations that name others.
    int c[N];
    #pragma omp target parallel for ordered(1) map(from: c)
    for (int i = 0; i < N; i++) {
        #pragma omp ordered depend(sink: i - 1)
        c[i] = i > 0 ? c[i - 1] + i : 0;
        #pragma omp ordered depend(source)
    }
    printf("%d\n", c[N - 1]);

    // In lanes.
    int m = 0;
    #pragma omp target simd map(tofrom: m, order)
    for (int i = N - 1; i >= 0; i--) {
        #pragma omp ordered simd
        order[m++] = i;
    }
    ok = m == N;
    for (int i = 0; i < N; i++)
        ok &= order[i] == N - 1 - i;
    printf("%d\n", ok);

    int s = 1000;
    #pragma omp target map(tofrom: s) map(to: a) map(from: b)
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < N; i++) {
        s += a[i];
        #pragma omp scan inclusive(s)
        b[i] = s;
    }
    ok = 1;
    for (int i = 0, sum = 1000; i < N; i++)
        ok &= b[i] == (sum += a[i]);
    printf("%d %d\n", s, ok);

    // What an iteration gives may be assigned, too.
    s = 5;
    #pragma omp target map(tofrom: s) map(to: a) map(from: b)
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < N; i++) {
        b[i] = s;
        #pragma omp scan exclusive(s)
        s = a[i];
    }
    ok = 1;
    for (int i = 0, sum = 5; i < N; sum += a[i++])
        ok &= b[i] == sum;
    printf("%d %d\n", s, ok);

    unsigned most = 0;
    double p = 1;
    double q[N];
    #pragma omp target teams num_teams(1) map(tofrom: most, p) map(to: a) map(from: b, q)
    #pragma omp parallel
    {
        #pragma omp for simd reduction(inscan, max: most) reduction(inscan, *: p)
        for (int i = 0; i < N; i++) {
            most = a[i] * 2 > most ? a[i] * 2u : most;
            p = p * (i % 2 ? 0.5 : 2);
            #pragma omp scan inclusive(most, p)
            b[i] = most;
            q[i] = p;
        }
    }
    ok = 1;
    for (int i = 0; i < N; i++)
        ok &= b[i] == (i < 7 ? 2 * (i + 1) : 14) && q[i] == (i % 2 ? 1 : 2);
    printf("%u %g %d\n", most, p, ok);

    // A sum beside it, and a nest.
    long sum = 0;
    int t[2] = {0, 0};
    #pragma omp target parallel for ordered collapse(2) reduction(+: sum) map(tofrom: t)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            #pragma omp ordered
            {
                t[1] += t[0] == i * 10 + j;
                t[0]++;
            }
            sum += i * j;
        }
    printf("%ld %d\n", sum, t[1]);

    int len = 0, last[N];
    #pragma omp target parallel num_threads(4) map(tofrom: len, last)
    {
        #pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < N; i += 2) {
            #pragma omp ordered threads
            last[len++] = i;
        }
        #pragma omp for
        for (int i = 0; i < N / 2; i++)
            last[i] += len;
    }
    printf("%d %d %d\n", len, last[0], last[N / 2 - 1]);
    return 0;
}
