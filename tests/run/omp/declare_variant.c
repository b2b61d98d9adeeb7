// Functions that are called in the place of others: by constructs, by devices, by conditions, in functions of devices, and not at all.
// cflags: -fopenmp
// expect-output: declare_variant.expect
// launches: 8
#include <omp.h>
#include <stdio.h>
#define N 64

static int factor = 3;

int in_target(int x) { return 100 + x; }
int in_parallel(int x) { return 200 + x; }
int in_both(int x);
static int in_simd(int x) { return 900 + x; }
static int of_others(int x) { return 910 + x; }
static int never(int x) { return 920 + x; }

#pragma omp declare variant(in_target) match(construct = {target})
#pragma omp declare variant(in_both) match(construct={teams, parallel})
#pragma omp declare variant(in_simd) match(construct={simd})
#pragma omp declare variant(of_others) match(implementation={vendor(amd)})
#pragma omp declare variant(never) match(user={condition(0)})
int base(int x) { return x; }

int in_both(int x) { return 400 + x; }

// By the kind of device; what regions do on the host, which runs them if they have no device, is the same.
long on_device(long x) { return 2 * x; }
#pragma omp declare variant(on_device) match(device={kind(nohost)})
long twice(long x);
long twice(long x) { return x + x; }

int on_gpu(int x) { return x << 3; }
int on_cores(int x) { return x * 8; }
#pragma omp declare variant(on_gpu) match(device={kind(gpu)})
#pragma omp declare variant(on_cores) match(device={kind(cpu), arch(x86_64)}, user={condition(score(5): 1)})
int eight_times(int x) { return (int)(8u * (unsigned)x); }

// Of two that hold, the one that says more counts, wherever it stands.
static double special(double x) { return x + 0.5; }
static double general(double x) { return x - 99; }
#pragma omp declare variant(special) match(construct={target}, user={condition(1)})
#pragma omp declare variant(general) match(user={condition(1)})
static double half(double x) { return x; }

// The variant uses what the function does not.
static int scaled(int x) { return factor * x; }
#pragma omp declare variant(scaled) match(construct={target}, device={kind(any)})
static int plain(int x) { return x; }

// A function that devices run is in a target; a variant for a construct is in that construct.
static int helper(int x) { return base(x) + 1; }
static int innermost(int x) { return 7000 + x; }
#pragma omp declare variant(innermost) match(construct={parallel})
static int inner(int x) { return 5000 + x; }
static int outer_variant(int x) { return inner(x); }
#pragma omp declare variant(outer_variant) match(construct={parallel})
static int outer(int x) { return inner(x); }

int main(void) {
    int a[N], n = 0, ok = 0;
    long l[N];
    double d[N];

    printf("%d %ld %d\n", base(1), twice(4), eight_times(3));

    #pragma omp target map(from: n)
    n = base(1);
    printf("%d\n", n);

    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = base(i);
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == 400 + i;
    printf("%d\n", n);

    #pragma omp target map(from: a)
    #pragma omp teams
    {
        #pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] = (base)(i) + in_simd(0);
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == 1300 + i;
    printf("%d\n", n);

    #pragma omp target parallel for map(from: l)
    for (int i = 0; i < N; i++)
        l[i] = twice(i) + eight_times(i);
    for (int i = 0; i < N; i++)
        ok += l[i] == 10L * i;
    printf("%d\n", ok);

    #pragma omp target teams loop map(from: d)
    for (int i = 0; i < N; i++)
        d[i] = half(i);
    ok = 0;
    for (int i = 0; i < N; i++)
        ok += d[i] == i + 0.5;
    printf("%d\n", ok);

    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = plain(i);
    ok = 0;
    for (int i = 0; i < N; i++)
        ok += a[i] == 3 * i;
    printf("%d\n", ok);

    // No construct of the caller's reaches into a function; only the target does.
    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = helper(i);
    ok = 0;
    for (int i = 0; i < N; i++)
        ok += a[i] == 101 + i;
    printf("%d\n", ok);

    #pragma omp target parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = outer(i);
    ok = 0;
    for (int i = 0; i < N; i++)
        ok += a[i] == 7000 + i;
    printf("%d\n", ok);
    return 0;
}
