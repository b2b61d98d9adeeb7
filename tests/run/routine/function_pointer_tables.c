// Calls through pointers in structs of functions, in recursion, of routines with vector loops, of data that is declared.
#include <stdio.h>
#include <stdlib.h>
typedef int fn(int, void *);
struct vt { fn *area, *scale; };
struct shape { const struct vt *v; int w, h; };
static int rect_area(int k, void *s) { struct shape *t = s; return k * t->w * t->h; }
static int rect_scale(int k, void *s) { struct shape *t = s; t->w *= k; return t->w; }
static int tri_area(int k, void *s) { struct shape *t = s; return k * t->w * t->h / 2; }
static const struct vt rect = { rect_area, rect_scale }, tri = { .area = tri_area, .scale = rect_scale };
fn *handlers[4];
#pragma acc declare create(handlers)
struct cb { int (*cmp)(const void *, const void *); };
static int up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int down(const void *a, const void *b) { return -up(a, b); }
static void sort(int *v, int n, int (*cmp)(const void *, const void *)) {
  for (int i = 1; i < n; i++) { int k = v[i], j = i; for (; j > 0 && cmp(&v[j-1], &k) > 0; j--) v[j] = v[j-1]; v[j] = k; }
}
static int fact(int n, int (*self)(int, void *)) { return n < 2 ? 1 : n * self(n - 1, 0); }
static int again(int n, void *p) { return fact(n, again) + (p != 0); }
#pragma acc routine vector
static void vec(double *x, int n, double (*g)(double)) {
#pragma acc loop vector
  for (int i = 0; i < n; i++) x[i] = g(x[i]);
}
static double sq(double x) { return x * x; }
static double cu(double x) { return x * x * x; }
#pragma acc routine seq
static void seq2(double *x, int n) { for (int i = 0; i < n; i++) x[i] += 1; }
int main(void)
{
  struct shape s[40]; int r[40], m[40][6], f[40];
  for (int i = 0; i < 40; i++) { s[i] = (struct shape){ i % 3 ? &rect : &tri, i, i + 1 }; for (int j = 0; j < 6; j++) m[i][j] = (i * 7 + j * 5) % 11; }
#pragma acc enter data copyin(rect, tri)
#pragma acc data copy(s)
  {
#pragma acc parallel loop
    for (int i = 0; i < 40; i++) s[i].v = i % 3 ? &rect : &tri;
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 40; i++) { const struct vt *v = s[i].v; r[i] = v->scale(2, &s[i]); r[i] += (i % 3 ? &rect : &tri)->area(1, &s[i]); }
  }
  handlers[0] = rect_area; handlers[1] = tri_area; handlers[2] = again; handlers[3] = rect_scale;
#pragma acc update device(handlers)
#pragma acc parallel loop copyout(f) copyin(s)
  for (int i = 0; i < 40; i++) f[i] = i % 4 == 2 ? handlers[2](5, 0) : handlers[i & 1](i, &s[i]);
  struct cb c = { up };
#pragma acc parallel loop copy(m) copyin(c)
  for (int i = 0; i < 40; i++) sort(m[i], 6, i & 1 ? c.cmp : down);
  double x[8][50];
  for (int i = 0; i < 400; i++) x[i / 50][i % 50] = i / 10.;
#pragma acc parallel loop gang copy(x)
  for (int i = 0; i < 8; i++) vec(x[i], 50, i & 1 ? sq : cu);
  void (*ps)(double *, int) = seq2;
#pragma acc parallel copy(x) num_gangs(4)
  {
#pragma acc loop gang
  for (int i = 0; i < 8; i++) ps(x[i], 50);
  }
  long t = 0; double d = 0;
  for (int i = 0; i < 40; i++) { t = t * 3 + r[i] + f[i]; for (int j = 0; j < 6; j++) t = (t * 5 + m[i][j]) % 1000000007; }
  for (int i = 0; i < 400; i++) d += x[i / 50][i % 50];
  printf("%ld %.3f\n", t, d);
}
