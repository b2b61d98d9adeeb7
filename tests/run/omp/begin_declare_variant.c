// Functions between begin declare variant and its end: for devices, for constructs, static ones, several of one name, in front of the
// function that they are variants of and behind it.
// cflags: -fopenmp
// expect-output: begin_declare_variant.expect
// launches: 5
#include <omp.h>
#include <stdio.h>
#define N 64

static int early(int x);
int base(int x) { return x; }

#pragma omp begin declare variant match(device={kind(nohost)})
int base(int x) { return 10 * x; }
static int *where(int *p, int n);
static int *where(int *p, int n) { return p + n; }
static int early(int x) { return base(x) + 1; }
#pragma omp end declare variant

#pragma omp begin declare variant match(construct={target, parallel})
__attribute__((noinline)) int (base)(int x)
{
    return 20 * x;
}
#pragma omp end declare variant

#pragma omp begin declare variant match(user={condition(0)})
int base(int x) { return -x; }
#pragma omp end declare variant

static int early(int x) { return x - 1; }
static int *where(int *p, int n) { return &p[n]; }

// Nothing calls it by the name of a variant.
#pragma omp begin declare variant match(implementation={vendor(amd)})
#pragma omp end declare variant

int main(void) {
    int a[N], n = 0, m = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
    printf("%d %d %d\n", base(3), early(3), *where(a, 4));

    #pragma omp target map(from: n)
    n = base(3);
    printf("%d\n", n > 0);

    // The selector that a device alone has counts more than constructs.
    #pragma omp target parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = base(i);
    for (int i = 0; i < N; i++)
        m += a[i] == 10 * i;
    printf("%d\n", m);

    #pragma omp target map(from: n)
    n = early(3);
    printf("%d\n", n);

    #pragma omp target map(tofrom: a)
    *where(a, 5) = 7;
    printf("%d\n", a[5]);

    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = early(i);
    m = 0;
    for (int i = 0; i < N; i++)
        m += a[i] == 10 * i + 1;
    printf("%d line %d\n", m, __LINE__);
    return 0;
}
