// Functions that return early, change what their pointers lead to, and take and give structs: inlined or not.
#include <stdio.h>
#include <math.h>
#define N 200
typedef struct { float x, y; } P;
#pragma acc routine seq
static int f1(int a, int *out) { if (a < 3) { *out = 7; return a; } if (a % 2) return -a; else if (a == 10) return 99; *out += a; return 2 * a; }
#pragma acc routine seq
static void f2(double *s, int k) { if (k > 50) return; *s += k; if (k > 25) { *s *= 2; return; } *s -= 1; }
#pragma acc routine seq
static P f3(P a, P *b) { P r = a; for (int i = 0; i < 4; i++) { if (i == 2) continue; r.x += b->y * i; } b->x = r.x; if (r.x > 100) { P q = {1, 2}; return q; } return r; }
#pragma acc routine seq
static int f4(const int *v, int n, int key) { for (int i = 0; i < n; i++) if (v[i] == key) return i; return -1; }
#pragma acc routine seq
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) {
  double r[N]; int q[N];
#pragma acc parallel loop copyout(r, q)
  for (int i = 0; i < N; i++) {
    int o = 1, v[5] = {i, i + 1, 5, 7, i - 3}; double s = i; P b = {1, 2}, a = {i * 0.5f, 3};
    int x = f1(i, &o); f2(&s, i);
    P c = f3(a, &b);
    r[i] = s + c.x + c.y + b.x; q[i] = x + o + f4(v, 5, 7) * 1000 + fact(i % 5);
  }
  double t = 0; long z = 0; for (int i = 0; i < N; i++) { t = t * 1.0001 + r[i]; z = z * 3 % 1000003 + q[i]; }
  printf("%.10g %ld\n", t, z);
}
