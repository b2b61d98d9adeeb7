// `routine` directives through macros, `_Pragma` and continued lines.
// launches: 2
#include <stdio.h>
#define STR(x) #x
#define PRAGMA(...) _Pragma(STR(__VA_ARGS__))
#define ROUTINE(level) PRAGMA(acc routine level)
#define LEVEL gang
#define DIM dim:1
#define NAME f1
#define BOTH routine (NAME) LEVEL
#define DECL(level, decl) ROUTINE(level) decl
static int f1(int x);
#pragma acc routine(f1) \
   seq \
   nohost
static int f1(int x) { return x + 1; }
ROUTINE(seq) static int f2(int x) { return x + 2; }
DECL(seq, static int f3(int x)) { return x * 2; }
#pragma acc routine \
   LEVEL
static void f4(int n, int *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++) a[i] += 1;
}
#pragma acc routine LEVEL(DIM)
static void f5(int n, int *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++) a[i] += 1;
}
#pragma acc \
 routine \
 LEVEL\
(dim:1)
static void f6(int n, int *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++) a[i] += 1;
}
ROUTINE(gang(dim:1)) static void f7(int n, int *a) {
#pragma acc loop gang
  for (int i = 0; i < n; i++) a[i] += 1;
}
int main(void) {
  int s = 0;
  int i; int a[10] = {0};
PRAGMA(acc parallel loop reduction(+:s))
  for (i = 0; i < 10; i++) s += f1(f2(f3(i)));
#pragma acc parallel copy(a)
  { f4(10, a); f5(10, a); f6(10, a); f7(10, a); }
  printf("%d %d\n", s, a[3]);
}
