// Declared reductions of private objects of teams, of globals, of sections of one element, and with conditions.
// cflags: -fopenmp
#include <stdio.h>
typedef struct { float x, y; int n; } v3;
#pragma omp declare reduction(sum: v3: omp_out.x += omp_in.x, omp_out.y += omp_in.y, omp_out.n += omp_in.n) initializer(omp_priv = {0, 0, 0})
#pragma omp declare reduction(minmax: v3: omp_out.x = omp_in.x < omp_out.x ? omp_in.x : omp_out.x, omp_out.y = omp_in.y > omp_out.y ? omp_in.y : omp_out.y) initializer(omp_priv = {1e30f, -1e30f, 0})
static v3 g = {9, -9, 1};
int main(void)
{
    int rows = 37;
    static float a[37][211];
    v3 out[37], tot = {0, 0, 0};
    for (int i = 0; i < rows; i++) for (int j = 0; j < 211; j++) a[i][j] = (i * 31 + j * 17) % 101;
#pragma omp target teams distribute map(to: a) map(from: out) reduction(sum: tot)
    for (int i = 0; i < rows; i++) {
        v3 r = {1e30f, -1e30f, 0};
#pragma omp parallel for reduction(minmax: r)
        for (int j = 0; j < 211; j++) { if (a[i][j] < r.x) r.x = a[i][j]; if (a[i][j] > r.y) r.y = a[i][j]; }
        out[i] = r;
        tot.x += r.x; tot.y += r.y; tot.n++;
    }
    for (int i = 0; i < rows; i += 9) printf("%g %g\n", out[i].x, out[i].y);
    printf("%g %g %d\n", tot.x, tot.y, tot.n);
#pragma omp target teams distribute parallel for collapse(2) map(to: a) map(tofrom: g) reduction(minmax: g)
    for (int i = 0; i < rows; i++) for (int j = 0; j < 211; j++) { if (a[i][j] < g.x) g.x = a[i][j]; if (a[i][j] > g.y) g.y = a[i][j]; }
    printf("%g %g %d\n", g.x, g.y, g.n);
    v3 *p = &tot;
#pragma omp target teams distribute parallel for map(tofrom: p[0:1]) reduction(sum: p[0:1])
    for (int i = 0; i < 5000; i++) { p[0].x += 1; p[0].y -= 1; p[0].n += i; }
    printf("%g %g %d\n", tot.x, tot.y, tot.n);
    for (int t = 0; t < 3; t++) {
#pragma omp target parallel for reduction(sum: tot) if(t)
        for (int i = 0; i < 10; i++) tot.n += t;
    }
    printf("%d\n", tot.n);
    return 0;
}
