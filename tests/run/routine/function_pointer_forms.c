// Pointers to functions in structs by value, in static tables, from functions, as arguments with contexts, outside of functions, compared.
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <math.h>
typedef float (*unary)(float);
typedef struct { unary f[3]; int n; const char *name; } pipe_t;
typedef struct { double v[3]; } vec;
typedef vec (*vop)(vec, const vec *, double);
static float half(float x) { return x / 2; }
static float inc(float x) { return x + 1; }
static float neg(float x) { return -x; }
static vec axpy(vec a, const vec *b, double s) { for (int i = 0; i < 3; i++) a.v[i] += s * b->v[i]; return a; }
static vec mulv(vec a, const vec *b, double s) { for (int i = 0; i < 3; i++) a.v[i] *= s * b->v[i]; return a; }
static bool even(unsigned char c) { return c % 2 == 0; }
static bool big(unsigned char c) { return c > 30; }
static unary pick(int k) { static unary const t[] = { half, inc, neg, sqrtf }; return t[k & 3]; }
static float run(pipe_t p, float x) { for (int i = 0; i < p.n; i++) x = p.f[i] ? p.f[i](x) : x; return x; }
static int apply_n(int (*f)(int, void *), int n, void *ctx) { int s = 0; for (int i = 0; i < n; i++) s += f(i, ctx); return s; }
static int scale_cb(int i, void *c) { return i * *(int *)c; }
static int count_cb(int i, void *c) { (*(int *)c)++; return i & 1; }
static long (*global_op)(long, long);
static long ladd(long a, long b) { return a + b; }
static long lsub(long a, long b) { return a - b; }
int (*volatile unused)(void);
unary extern_table[2] = { half, inc };
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
  enum { N = 40 }; float x[N]; vec v[N]; int c[N], d[N]; long g[N], e[N];
  pipe_t p = { { half, 0, neg }, 3, "p" };
  vop ops[2] = { argc > 0 ? axpy : mulv, mulv };
  bool (*tests[2])(unsigned char) = { even, big };
  for (int i = 0; i < N; i++) v[i] = (vec){ { i, i + 1, 2 } };
#pragma acc parallel loop copyout(x) copyin(p, extern_table)
  for (int i = 0; i < N; i++) {
    pipe_t q = p; if (i % 4 == 1) q.f[1] = inc; unary u = pick(i); unary *pu = &q.f[2]; if (i % 5 == 0) *pu = i % 2 ? u : half;
    x[i] = run(q, i) + u(i + 1.5f) + (u == sqrtf) * 100 + extern_table[i & 1](i);
  }
#pragma acc parallel loop copy(v) copyin(ops)
  for (int i = 0; i < N; i++) { vec w = v[(i) % N]; vec t = { { 1, 2, 3 } }; v[i] = ops[i % 2](ops[(i + 1) % 2](w, &t, 0.5), &t, 2); }
#pragma acc kernels loop copyout(c) copyin(tests)
  for (int i = 0; i < N; i++) { int k = 0, ii = i; c[i] = tests[0](i) + 2 * tests[1]((unsigned char)(i + 250)) + apply_n(scale_cb, 4, &ii) + apply_n(count_cb, 5, &k) + 10 * k; }
  global_op = lsub;
#pragma acc parallel loop copyout(g)
  for (int i = 0; i < N; i++) g[i] = global_op ? global_op(i, 3) : -1;
  global_op = 0;
#pragma acc parallel loop copyout(e) copy(global_op)
  for (int i = 0; i < N; i++) e[i] = global_op ? global_op(i, 3) : ladd(i, 1);
  long (*chosen)(long, long) = argc > 5 ? lsub : ladd;
#pragma acc parallel loop copyout(d) private(global_op) copyin(chosen)
  for (int i = 0; i < N; i++) { global_op = i % 2 ? chosen : lsub; d[i] = (int)(*global_op)(i, i / 2); }
  int z[8] = { 4, 2, 7, 1, 9, 0, 3, 3 };
  qsort(z, 8, sizeof *z, cmp);
  double s = 0; for (int i = 0; i < N; i++) s = s * 0.9 + x[i] + v[i].v[0] - v[i].v[1] + v[i].v[2] + c[i] + g[i] + e[i] * 2 + d[i];
  printf("%.6f %d\n", s, z[3]); (void)argv;
}
