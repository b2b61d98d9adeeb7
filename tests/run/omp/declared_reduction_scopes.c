// Which of several declarations of a reduction a clause means; arrays and sections of reduced structs.
// cflags: -fopenmp
#include <complex.h>
#include <stdio.h>

typedef struct { int low, high; } range;
struct cell { long n; range r; };

#pragma omp declare reduction(join: range: omp_out.low = omp_in.low < omp_out.low ? omp_in.low : omp_out.low, \
                              omp_out.high = omp_in.high > omp_out.high ? omp_in.high : omp_out.high)         \
    initializer(omp_priv = {1000000, -1000000})
#pragma omp declare reduction(join: int: omp_out += omp_in)
#pragma omp declare reduction(*: range: omp_out.low += omp_in.low, omp_out.high += omp_in.high)

static int twice(int x) { return 2 * x; }

static void widen(range *r, int value)
{
    if (value < r->low) r->low = value;
    if (value > r->high) r->high = value;
}

static range of_elements(const int *a, int n)
{
    range r = {a[0], a[0]};
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: r)
    for (int i = 0; i < n; i++) widen(&r, a[i]);
    return r;
}

static void scopes(const int *a, int n)
{
    int s = 0, t = 0, u = 1;
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: s)
    for (int i = 0; i < n; i++) s += a[i] > 0;
    {
        // Hides the one outside, for `int` only.
#pragma omp declare reduction(join: int: omp_out ^= omp_in) initializer(omp_priv = 0)
        range r = {a[0], a[0]};
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: t, r)
        for (int i = 0; i < n; i++) {
            t ^= a[i];
            widen(&r, a[i]);
        }
        printf("inner: %d %d %d\n", t, r.low, r.high);
    }
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: u)
    for (int i = 0; i < n; i++) u += a[i] % 5 == 0;
    printf("outer: %d %d\n", s, u);
}

static void parts(const int *a, int n)
{
    range r[3] = {{9, 9}, {8, 8}, {7, 7}};
    struct cell c = {1, {2, 3}};
    float complex z = 1;
    range *p = r;
#pragma omp declare reduction(cells: struct cell: omp_out.n += omp_in.n, omp_out.r.low += twice(omp_in.r.low) / 2, \
                              omp_out.r.high |= omp_in.r.high) initializer(omp_priv = {0, {0, 0}})
#pragma omp declare reduction(turn: float _Complex: omp_out = omp_out + omp_in) initializer(omp_priv = 0)
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: r) reduction(cells: c) reduction(turn: z)
    for (int i = 0; i < n; i++) {
        widen(&r[i % 3], a[i]);
        c.n++;
        c.r.low += i & 1;
        c.r.high |= a[i] & 6;
        z += i % 2 ? 1 : I;
    }
    printf("array: %d %d %d %d %d %d\n", r[0].low, r[0].high, r[1].low, r[1].high, r[2].low, r[2].high);
    printf("others: %ld %d %d %g %g\n", c.n, c.r.low, c.r.high, creal(z), cimag(z));
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(join: p[1:2])
    for (int i = 0; i < n; i++) widen(&p[1 + i % 2], 2 * a[i]);
    printf("section: %d %d %d %d %d %d\n", r[0].low, r[0].high, r[1].low, r[1].high, r[2].low, r[2].high);
}

int main(void)
{
    enum { n = 3000 };
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i * 7919 % 4001 - 1700;
    range r = of_elements(a, n), sums = {1, 2};
    printf("function: %d %d\n", r.low, r.high);
    scopes(a, n);
    parts(a, n);
#pragma omp target map(to: a) map(tofrom: r, sums)
    {
#pragma omp declare reduction(inside: int: omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -1)
        int most = 0;
#pragma omp parallel for reduction(inside: most) reduction(*: sums)
        for (int i = 0; i < n; i++) {
            if (a[i] > most) most = a[i];
            sums.low += a[i];
            sums.high++;
        }
        r.high = most;
    }
    printf("in the region: %d %d %d\n", r.high, sums.low, sums.high);
    return 0;
}
