// Loops whose iterations run several at a time where the device prefers vectors: numbers of all sizes, in several spellings, with
// every number of iterations left over. Sums are of whole numbers, which no order changes.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST 83
#define EACH(i, n) for (i = 0; i < n; i++)

static double xs[MOST + 2], ys[MOST + 2], zs[MOST + 2];
static float fs[MOST + 2], gs[MOST + 2];
static int is[MOST + 2], js[MOST + 2];
static unsigned us[MOST + 2];
static long ls[MOST + 2];
static unsigned long uls[MOST + 2];
static short hs[MOST + 2];
static unsigned char bs[MOST + 2];
static signed char cs[MOST + 2];

static unsigned long seen;

static void see(const void *from, size_t bytes)
{
    const unsigned char *p = from;
    for (size_t k = 0; k < bytes; k++)
        seen = seen * 1099511628211ul + p[k];
}

static void fill(void)
{
    for (int i = 0; i < MOST + 2; i++) {
        xs[i] = (i * 37 % 101) - 50;
        ys[i] = (i * 53 % 97) - 40;
        zs[i] = 0;
        fs[i] = (float)(i * 29 % 61) - 30;
        gs[i] = (float)(i * 7 % 23) + 1;
        is[i] = (i * 7919 % 4001) - 2000;
        js[i] = i % 5 - 2;
        us[i] = (unsigned)i * 2654435761u;
        ls[i] = (long)i * 1000000007 - 30000000000;
        uls[i] = (unsigned long)i * 11400714819323198485ul;
        hs[i] = (short)(i * 331);
        bs[i] = (unsigned char)(i * 5 + 120);
        cs[i] = (signed char)(i * 3 - 100);
    }
}

static void see_all(void)
{
    see(xs, sizeof xs), see(ys, sizeof ys), see(zs, sizeof zs), see(fs, sizeof fs), see(gs, sizeof gs);
    see(is, sizeof is), see(js, sizeof js), see(us, sizeof us), see(ls, sizeof ls), see(uls, sizeof uls);
    see(hs, sizeof hs), see(bs, sizeof bs), see(cs, sizeof cs);
}

// The counter is an int, unsigned, a size_t, a pointer's; bounds begin and end anywhere.
static void spellings(int n, int from, double *restrict p, const double *q, double s)
{
#pragma acc parallel loop copy(p[0:MOST + 2]) copyin(q[0:MOST + 2])
    for (int i = from; i < n; ++i)
        p[i] = q[i] * s + p[i];
#pragma acc parallel loop copy(p[0:MOST + 2]) copyin(q[0:MOST + 2])
    for (unsigned i = (unsigned)from; i < (unsigned)n; i++)
        p[i + 1] = q[i] - p[i + 1] / 2;
#pragma acc parallel loop copy(p[0:MOST + 2]) copyin(q[0:MOST + 2])
    for (size_t i = (size_t)from; i < (size_t)n; i += 1)
        p[i] = q[i + 2] > 0 ? p[i] : -p[i];
#pragma acc parallel loop copy(p[0:MOST + 2]) copyin(q[0:MOST + 2])
    for (long i = n - 1; i >= from; i--)
        *(p + i) += *(q + i);
}

static inline double at(const double *p, int i) { return p[i]; }

static void rows(int n, double a[MOST][MOST], const double *x)
{
#pragma acc parallel loop gang copy(a[0:MOST]) copyin(x[0:MOST])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] * at(x, j) + at(x, i);
    }
}

static void integers(int n)
{
    int i, k = 3;
#pragma acc parallel loop copy(is, js, us, ls, uls, hs, bs, cs) firstprivate(k)
    EACH (i, n) {
        int v = is[i];
        unsigned u = us[i];
        is[i] = (int)((unsigned)v << 2) ^ (v >> 3) ^ (v / 7) ^ (v % 11) ^ k;
        us[i] = (u << 5) + (u >> 7) - u / 13 + u % 17;
        js[i] = v > 100 ? js[i] : ~js[i];
        ls[i] = (long)v * ls[i] - (long)u + (long)js[i];
        uls[i] = uls[i] * 3 + u + (uls[i] > (unsigned long)v);
        hs[i] = (short)(hs[i] * 3 + v);
        bs[i] = (unsigned char)(bs[i] + u);
        cs[i] = (signed char)(cs[i] - v);
    }
}

static void conversions(int n)
{
#pragma acc parallel loop copy(xs, fs, is, us, ls, bs, cs, hs)
    for (int i = 0; i < n; i++) {
        double x = xs[i];
        xs[i] = (double)is[i] + (double)us[i] + (double)fs[i] + bs[i] + cs[i];
        fs[i] = (float)x + (float)hs[i];
        is[i] = (int)(x * 3.7);
        us[i] = (unsigned)(x * x);
        ls[i] = (long)(x * 1e6) + i;
    }
}

static void truths(int n, int any)
{
#pragma acc parallel loop copy(xs, ys, zs, fs, is, js)
    for (int i = 0; i < n; i++) {
        int both = (xs[i] > 0) & (fs[i] < 3);
        int either = (is[i] != 0) | (ys[i] <= 1);
        zs[i] = both ? xs[i] : either ? ys[i] : 0.5;
        js[i] = (both ^ either) + (any ? 10 : 20);
        if (zs[i] > 20)
            zs[i] = 20;
        xs[i] = fmax(xs[i], ys[i]) - fmin(xs[i], -1.0);
    }
}

static void inner(int n, int steps)
{
#pragma acc parallel loop copy(xs, ys, zs)
    for (int i = 0; i < n; i++) {
        double r = 1, x = fabs(xs[i]) + 1;
        for (int k = 0; k < steps; k++)
            r = 0.5 * (r + x / r);
        ys[i] = sqrt(x) * floor(ys[i]);
        zs[i] = r;
    }
}

static void sums(int n)
{
    double s = 1, m = -1e300, l = 1e300;
    float f = 2;
    int t = 3, a = -1, o = 0, x = 5, most = -100000;
    unsigned um = 0;
    long p = 1;
#pragma acc parallel loop reduction(+: s, f, t) reduction(max: m, most, um) reduction(min: l) \
    reduction(&: a) reduction(|: o) reduction(^: x) reduction(*: p) copyin(xs, fs, is, js, us)
    for (int i = 0; i < n; i++) {
        s += xs[i] * 2;
        f -= fs[i];
        t += is[i] + i;
        m = xs[i] > m ? xs[i] : m;
        l = fmin(l, xs[i]);
        most = is[i] > most ? is[i] : most;
        um = us[i] > um ? us[i] : um;
        a &= is[i];
        o |= js[i];
        x ^= is[i];
        p *= js[i] > 1 ? 3 : 1;
    }
    see(&s, sizeof s), see(&f, sizeof f), see(&t, sizeof t), see(&m, sizeof m), see(&l, sizeof l);
    see(&a, sizeof a), see(&o, sizeof o), see(&x, sizeof x), see(&p, sizeof p), see(&most, sizeof most);
    see(&um, sizeof um);
    double all[2] = {0, 0};
#pragma acc parallel loop gang copyin(xs) copy(all)
    for (int g = 0; g < 2; g++) {
        double part = g;
#pragma acc loop vector reduction(+: part)
        for (int i = 0; i < n; i++)
            part += xs[i] * (g + 1);
        all[g] = part;
    }
    see(all, sizeof all);
}

// Not of that kind: elements that others say where they are, every other one, a branch with a store.
static void others(int n)
{
#pragma acc parallel loop copy(xs, ys, is, zs)
    for (int i = 0; i < n; i++) {
        zs[i] = xs[(unsigned)is[i] % MOST];
        if (ys[i] > 0)
            ys[i] = zs[i] + 1;
    }
#pragma acc parallel loop copy(xs, ys)
    for (int i = 0; i < n / 2; i++)
        xs[2 * i] = ys[i];
}

int main(void)
{
    static double a[MOST][MOST];
    for (int n = 0; n <= MOST; n += n < 20 ? 1 : 21) {
        fill();
        spellings(n, n / 5, xs, ys, 1.5);
        for (int k = 0; k < MOST * MOST; k++)
            a[k / MOST][k % MOST] = k % 9;
        rows(n, a, ys);
        see(a, sizeof a);
        see_all();
        fill();
        integers(n);
        see_all();
        fill();
        conversions(n);
        see_all();
        fill();
        truths(n, n & 1);
        see_all();
        fill();
        inner(n, n % 7);
        see_all();
        fill();
        sums(n);
        others(n);
        see_all();
        printf("%d: %016lx\n", n, seen);
    }
    return 0;
}
