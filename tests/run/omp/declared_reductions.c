// Reductions that the program declares, on every kind of construct.
// cflags: -fopenmp
#include <stdio.h>

typedef struct { double x; int k; } far;
typedef struct { long sum[3]; short low; struct { float high; _Bool any; } more; } stats;

static far further(far a, far b)
{
    if (b.x > a.x) return b;
    if (b.x == a.x && b.k < a.k) return b;
    return a;
}

static void join(stats *to, const stats *from)
{
    for (int i = 0; i < 3; i++) to->sum[i] += from->sum[i];
    if (from->low < to->low) to->low = from->low;
    if (from->more.high > to->more.high) to->more.high = from->more.high;
    to->more.any = to->more.any || from->more.any;
}

static void begin(stats *s, const stats *like)
{
    *s = (stats){{0, 0, 0}, like->low, {like->more.high, 0}};
}

static void count(stats *s, int i)
{
    s->sum[i % 3] += i;
    if (100 - i % 331 < s->low) s->low = 100 - i % 331;
    if (i % 977 > s->more.high) s->more.high = i % 977;
    if (i == 77) s->more.any = 1;
}

#pragma omp declare reduction(far: far: omp_out = further(omp_out, omp_in)) initializer(omp_priv = {-1e300, -1})
#pragma omp declare reduction(join: stats: join(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))
#pragma omp declare reduction(+: far: omp_out.x += omp_in.x, omp_out.k += omp_in.k)
#pragma omp declare reduction(most: int, long: omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(most: float: omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -1)

enum { n = 5000 };
static double a[n];

static void show(const char *what, far f, stats s, int i, long l, float r)
{
    printf("%s: %g %d; %ld %ld %ld %d %g %d; %d %ld %g\n", what, f.x, f.k, s.sum[0], s.sum[1], s.sum[2], s.low, s.more.high,
           s.more.any, i, l, r);
}

#define START far f = {-3, -1}; stats s = {{1, 2, 3}, 90, {5, 0}}; int m = 7; long l = 8; float r = 9
#define BODY(i) \
    if (a[i] > f.x) { f.x = a[i]; f.k = i; } \
    count(&s, i); \
    if (i % 101 > m) m = i % 101; \
    if (3 * i > l) l = 3 * i; \
    if (a[i] / 2 > r) r = a[i] / 2
#define REDUCED reduction(far: f) reduction(join: s) reduction(most: m, l, r)

int main(void)
{
    for (int i = 0; i < n; i++) a[i] = i * 7919 % 10007;
    {
        START;
#pragma omp target teams distribute parallel for map(to: a) REDUCED
        for (int i = 0; i < n; i++) { BODY(i); }
        show("teams distribute parallel for", f, s, m, l, r);
    }
    {
        START;
#pragma omp target teams distribute parallel for simd map(to: a) REDUCED collapse(2)
        for (int j = 0; j < 50; j++)
            for (int k = 0; k < 100; k++) { int i = 100 * j + k; BODY(i); }
        show("collapsed simd", f, s, m, l, r);
    }
    {
        START;
#pragma omp target teams distribute map(to: a) REDUCED
        for (int i = 0; i < n; i++) { BODY(i); }
        show("teams distribute", f, s, m, l, r);
    }
    {
        START;
#pragma omp target parallel for map(to: a) REDUCED
        for (int i = 0; i < n; i++) { BODY(i); }
        show("parallel for", f, s, m, l, r);
    }
    {
        START;
#pragma omp target simd map(to: a) REDUCED
        for (int i = 0; i < n; i++) { BODY(i); }
        show("simd", f, s, m, l, r);
    }
    {
        START;
#pragma omp target teams loop map(to: a) REDUCED
        for (int i = 0; i < n; i++) { BODY(i); }
        show("teams loop", f, s, m, l, r);
    }
    {
        START;
#pragma omp target map(to: a) map(tofrom: f, s, m, l, r)
        {
#pragma omp parallel REDUCED num_threads(16)
            {
#pragma omp for
                for (int i = 0; i < n; i++) { BODY(i); }
            }
            f.x += 1;
        }
        show("for in parallel", f, s, m, l, r);
    }
    {
        START;
#pragma omp target teams map(to: a) map(tofrom: f, s, m, l, r) REDUCED num_teams(8)
        {
#pragma omp distribute
            for (int j = 0; j < 50; j++) {
#pragma omp parallel for REDUCED
                for (int k = 0; k < 100; k++) { int i = 100 * j + k; BODY(i); }
            }
        }
        show("teams with parallel for", f, s, m, l, r);
    }
    {
        far sums[40];
#pragma omp target teams distribute map(from: sums) map(to: a)
        for (int j = 0; j < 40; j++) {
            far sum = {j, 1};
#pragma omp parallel for reduction(+: sum)
            for (int k = 0; k < 100; k++) { sum.x += a[100 * j + k]; sum.k++; }
            sums[j] = sum;
        }
        far sum = {0, 0};
        for (int j = 0; j < 40; j++) { sum.x += sums[j].x; sum.k += sums[j].k; }
        printf("private: %g %d, %g\n", sum.x, sum.k, sums[39].x);
    }
    return 0;
}
