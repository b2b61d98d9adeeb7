// Declared reductions at every level at once: teams, threads and lanes, into objects of each.
// cflags: -fopenmp
#include <stdio.h>
typedef struct { long s; int m; } t;
static void add(t *a, t b) { a->s += b.s; if (b.m > a->m) a->m = b.m; }
#pragma omp declare reduction(add: t: add(&omp_out, omp_in)) initializer(omp_priv = {0, -1})
int main(void)
{
    enum { n = 40, m = 33, l = 70 };
    static int a[n][m][l];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < l; k++) a[i][j][k] = (i * 7 + j * 11 + k * 13) % 997;
    t all = {1, 0}, row[n];
#pragma omp target teams distribute map(to: a) map(from: row) reduction(add: all)
    for (int i = 0; i < n; i++) {
        t r = {0, 0};
#pragma omp parallel for reduction(add: r)
        for (int j = 0; j < m; j++) {
            t q = {0, 0};
#pragma omp simd reduction(add: q)
            for (int k = 0; k < l; k++) { q.s += a[i][j][k]; if (a[i][j][k] > q.m) q.m = a[i][j][k]; }
            add(&r, q);
        }
        row[i] = r;
        add(&all, r);
    }
    printf("%ld %d %ld %d\n", all.s, all.m, row[5].s, row[39].m);
    t w = {0, 0};
#pragma omp target teams distribute parallel for map(to: a) reduction(add: w)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
#pragma omp simd reduction(add: w)
            for (int k = 0; k < l; k++) { w.s += a[i][j][k]; if (a[i][j][k] > w.m) w.m = a[i][j][k]; }
        }
    printf("%ld %d\n", w.s, w.m);
#pragma omp target parallel for map(to: a) reduction(add: w) num_threads(32)
    for (int i = 0; i < n; i++) {
#pragma omp simd reduction(add: w)
        for (int k = 0; k < l; k++) w.s += a[i][0][k];
    }
    printf("%ld %d\n", w.s, w.m);
}
