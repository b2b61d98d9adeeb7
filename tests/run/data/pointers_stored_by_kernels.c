// Pointers in data that kernels store, in regions for which some devices have no code: the host, which runs these, has the data elsewhere.
// cflags: -w
// expect-output: pointers_stored_by_kernels.expect
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
struct part { double x; int n; };
struct whole { struct part *part; double *in, *end; int (*f)(int); };
#pragma pack(push, 1)
struct packed { char tag; struct part *part; };
#pragma pack(pop)
struct list { struct list *next; long key; };
static int one(int i) { return i + 1; }
static int two(int i) { return i * 2; }
static int depth(int n) { return n < 1 ? 0 : 1 + depth(n - 1) * (n & 1); }
enum { N = 40 };
/* Kernels on the device store pointers, the host's follows and changes them, and the device's follow those. */
static void stored(void)
{
  struct whole w[N];
  struct part p[N];
  double z[N];
  for (int i = 0; i < N; i++) {
    p[i].x = i;
    p[i].n = 3 * i;
    z[i] = i;
    w[i].part = 0;
    w[i].in = w[i].end = 0;
    w[i].f = i & 1 ? one : two;
  }
#pragma acc data copyin(w) copy(p, z)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
      w[i].part = &p[N - 1 - i];
      w[i].in = &z[i];
      w[i].end = &z[N];
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
      long double l = w[i].part->x;
      w[i].part->x = l * 2 + *w[i].in;
      w[i].part->n += w[i].f(i) + depth(i) + (int)(w[i].end - w[i].in);
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
      volatile long double l = 1;
      w[i].in = &p[i].x;
      w[i].part = i % 5 ? &p[(i + 1) % N] : 0;
      z[i] += l + depth(3);
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      if (w[i].part)
        w[i].part->n += *w[i].in + w[i].f(1);
  }
  double t = 0;
  for (int i = 0; i < N; i++)
    t = t * 1.01 + p[i].x + p[i].n + z[i];
  printf("stored %.6f\n", t);
}
/* A pointer that a directive attached, and that a kernel changes. */
static void attached(void)
{
  struct part *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  struct packed s[2] = { { 'a', a }, { 'b', b } };
  for (int i = 0; i < N; i++) {
    a[i] = (struct part){ i, i };
    b[i] = (struct part){ -i, 5 };
  }
#pragma acc enter data copyin(s, a[0:N], b[0:N])
#pragma acc enter data attach(s[0].part, s[1].part)
#pragma acc parallel num_gangs(1) present(s)
  {
    struct part *t = s[0].part;
    s[0].part = s[1].part;
    s[1].part = t + 1;
  }
#pragma acc parallel num_gangs(1) present(s)
  {
    volatile long double l = 7;
    for (int i = 0; i < 4; i++) {
      s[0].part[i].x += l;
      s[1].part[i].n += depth(i) + 10;
    }
    s[1].part += 2;
  }
#pragma acc parallel num_gangs(1) present(s)
  s[1].part->n += 1000;
#pragma acc exit data copyout(a[0:N], b[0:N]) delete(s) finalize
  double t = 0;
  for (int i = 0; i < N; i++)
    t = t * 1.01 + a[i].x + a[i].n + b[i].x + b[i].n;
  printf("attached %.6f\n", t);
  free(a);
  free(b);
}
/* A list in memory that no directive maps. */
static void own(void)
{
  struct list *l = acc_malloc(N * sizeof *l), *first[1];
  long sum = 0;
#pragma acc parallel num_gangs(1) deviceptr(l) copyout(first)
  {
    for (int i = 0; i < N; i++) {
      l[i].key = i * i;
      l[i].next = i + 1 < N ? &l[(i + 1) * 7 % N] : 0;
    }
    first[0] = l + 7;
  }
#pragma acc parallel num_gangs(1) copyin(first) copy(sum)
  {
    volatile long double d = 1;
    int steps = 0;
    for (struct list *at = first[0]; at && steps < N; at = at->next, steps++) {
      sum = sum * 3 % 1000003 + at->key + depth(1);
      at->key += d;
    }
  }
#pragma acc parallel num_gangs(1) deviceptr(l) copy(sum)
  for (int i = 0; i < N; i++)
    sum += l[i].key;
  printf("own %ld\n", sum);
  acc_free(l);
}
int main(void)
{
  stored();
  attached();
  own();
}
