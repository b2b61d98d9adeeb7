// `atomic compare`: in each form, for several types; what is captured is the value of just that moment.
// cflags: -fopenmp
// expect-output: atomic_compare.expect
// launches: 5
#include <stdio.h>
#define N 1000

struct node { int next, lock; };

int main(void) {
    int least = 1 << 30, most = -1, first = -1, a[N];
    double high = -1e30, low = 1e30, x[N];
    unsigned char bytes[4] = {9, 9, 9, 9};
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7919) % 1009;
        x[i] = a[i] * 0.25 - 3;
    }
    #pragma omp target teams distribute parallel for map(tofrom: least, most, high, low, bytes) map(to: a, x)
    for (int i = 0; i < N; i++) {
        #pragma omp atomic compare
        if (a[i] < least) { least = a[i]; }
        #pragma omp atomic compare seq_cst
        if (most < a[i]) { most = a[i]; }
        #pragma omp atomic compare
        high = high < x[i] ? x[i] : high;
        #pragma omp atomic compare fail(relaxed)
        low = x[i] < low ? x[i] : low;
        #pragma omp atomic compare
        bytes[i % 4] = bytes[i % 4] == 9 ? 200 + i % 4 : bytes[i % 4];
    }
    printf("%d %d %g %g %d %d\n", least, most, high, low, bytes[0], bytes[3]);

    // One wins.
    int winners = 0, losers = 0, sum = 0;
    #pragma omp target teams distribute parallel for map(tofrom: first, winners, losers, sum)
    for (int i = 0; i < N; i++) {
        int r, v = -5;
        #pragma omp atomic compare capture
        { r = first == -1; if (r) { first = i; } else { v = first; } }
        if (r) {
            #pragma omp atomic
            winners++;
            sum += v;
        } else {
            #pragma omp atomic
            losers += v >= 0 && v < N;
        }
    }
    printf("%d %d %d %d\n", winners, losers, sum, first >= 0);

    // A slot for each, in a table with open addresses.
    int keys[64];
    for (int i = 0; i < 64; i++)
        keys[i] = -1;
    #pragma omp target teams distribute parallel for map(tofrom: keys)
    for (int i = 0; i < 64; i++) {
        int at = i * 5 % 16;
        for (;;) {
            int old;
            #pragma omp atomic compare capture
            { old = keys[at]; if (keys[at] == -1) { keys[at] = i; } }
            if (old == -1)
                break;
            at = (at + 1) % 64;
        }
    }
    int all = 0;
    for (int i = 0; i < 64; i++)
        all += keys[i];
    printf("%d\n", all);

    long after = 0, big = 40;
    int failed = 0, r2 = 7;
    unsigned u = 5;
    #pragma omp target map(tofrom: big, u) map(from: after) map(tofrom: failed, r2)
    {
        #pragma omp atomic compare capture
        { if (big < 50L) { big = 50L; } after = big; }
        #pragma omp atomic compare capture
        if (u == 4u) { u = 8u; } else { failed = u; }
        #pragma omp atomic compare capture
        { r2 = u == 5u; if (r2) { u = 4000000000u; } }
        #pragma omp atomic compare
        if (u > 3u) { u = 3u; }
    }
    printf("%ld %ld %d %d %u\n", after, big, failed, r2, u);

    struct node n[2] = {{0, 0}, {1, 1}};
    #pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < 2; i++) {
        #pragma omp atomic compare
        if (n[i].lock == 0) { n[i].lock = 10 + i; }
    }
    printf("%d %d\n", n[0].lock, n[1].lock);
    return 0;
}
