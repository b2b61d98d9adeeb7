// Declared reductions where one thread, sections, tasks, lanes and called functions reduce, and where loops stand in loops of the host.
// cflags: -fopenmp
#include <stdio.h>
typedef struct { int n, s; unsigned char c; long long w; } acc;
#pragma omp declare reduction(join: acc: omp_out.n += omp_in.n, omp_out.s ^= omp_in.s, omp_out.c += omp_in.c, omp_out.w += omp_in.w) initializer(omp_priv = {0, 0, 0, 0})
#pragma omp declare reduction(+: acc: omp_out.n += omp_in.n, omp_out.s += omp_in.s, omp_out.c += omp_in.c, omp_out.w += omp_in.w)
#pragma omp declare reduction(mul: int: omp_out = omp_out * omp_in % 10007) initializer(omp_priv = 1)
static void put(acc *x, int i) { x->n++; x->s ^= i; x->c += i; x->w += (long long)i * i; }
static void helper(acc *out, int n)
{
    acc own = {0, 0, 0, 0};
#pragma omp parallel for reduction(join: own)
    for (int i = 0; i < n; i++) put(&own, i);
    *out = own;
}
static void show(const char *w, acc x) { printf("%s %d %d %d %lld\n", w, x.n, x.s, x.c, x.w); }
int main(void)
{
    acc a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c = {0}, d = {0}, e = {9, 9, 9, 9}, f = {0}, g[3] = {{0}};
    int m = 5, k = 7;
#pragma omp target map(tofrom: a, b, c, d, e, f)
    {
#pragma omp parallel num_threads(8)
        {
#pragma omp for reduction(join: a) nowait
            for (int i = 0; i < 777; i++) put(&a, i);
#pragma omp sections reduction(join: b)
            {
#pragma omp section
                put(&b, 1);
#pragma omp section
                put(&b, 2);
            }
#pragma omp single
#pragma omp taskloop reduction(join: c)
            for (int i = 0; i < 50; i++) put(&c, i);
        }
        helper(&d, 333);
#pragma omp simd reduction(+: e)
        for (int i = 0; i < 99; i++) { e.n++; e.s += i; e.c += 2; e.w -= i; }
#pragma omp loop reduction(join: f) bind(parallel)
        for (int i = 0; i < 100; i++) put(&f, i);
    }
    show("a", a); show("b", b); show("c", c); show("d", d); show("e", e); show("f", f);
#pragma omp target teams distribute parallel for reduction(mul: m) reduction(+: k) reduction(join: g)
    for (int i = 0; i < 4000; i++) { m = m * (i % 7 + 1) % 10007; k += i; put(&g[i & 1], i); }
    printf("%d %d\n", m, k); show("g0", g[0]); show("g1", g[1]); show("g2", g[2]);
#pragma omp target teams num_teams(5) reduction(join: a)
    {
        acc t = {0};
#pragma omp parallel for reduction(join: t)
        for (int i = 0; i < 500; i++) put(&t, i);
        t.n = 0;
        a.n += 0;
    }
    show("teams", a);
    int r = 0;
    for (int rep = 0; rep < 3; rep++) {
        acc z = {rep, rep, rep, rep};
#pragma omp target teams distribute parallel for reduction(join: z) map(tofrom: z) num_teams(3) thread_limit(64)
        for (int i = 0; i < 1000 * rep; i++) put(&z, i);
        show("z", z);
#pragma omp target teams distribute reduction(join: z)
        for (int j = 0; j < 10; j++)
            for (int i = 0; i < 10; i++) put(&z, i * j);
        show("z", z);
        r += z.n;
    }
    printf("%d\n", r);
}
