// Pointers to functions that give pointers to functions, in unions, by types of functions and typeof, constant ones.
#include <stdio.h>
typedef int op(int); typedef op *opp; typedef opp (*chooser)(int);
static inline int a1(int x) { return x + 1; } static inline int a2(int x) { return x * 2; }
static opp c1(int k) { return k ? a1 : a2; } static opp c2(int k) { return k > 5 ? a2 : &a1; }
static const chooser ch[2] = { c1, c2 };
static __typeof__(a1) *const direct = a1;
struct w { union { opp f; void *raw; }; int tag; };
int main(void) { int r[30], q[30]; struct w ws[3] = { { { .f = a1 }, 1 }, { { a2 }, 2 }, { { .raw = (void *)a1 }, 3 } };
#pragma acc parallel loop gang worker vector copyout(r) copyin(ws)
 for (int i = 0; i < 30; i++) { int t = 0;
  switch (i % 3) { case 0: t = ch[i & 1](i)(i); break; case 1: t = direct(i) + ws[i % 2].f(i); break; default: { op *z = ch[0](i % 2); for (int k = 0; k < 3; k++) t = z(t + k); } }
  r[i] = t + ((opp)ws[2].raw)(i); }
#pragma acc parallel loop copyout(q) copyin(ws)
 for (int i = 0; i < 30; i++) q[i] = ws[i % 3].f(i) + ch[0](i & 1)(2);
 long s = 0; for (int i = 0; i < 30; i++) s = s * 3 % 99991 + r[i] + q[i]; printf("%ld\n", s); }
