#include <setjmp.h>
#include <stdarg.h>
int away(int);
typedef int four __attribute__((vector_size(16)));
static int many(int n, ...)
{
  va_list l;
  va_start(l, n);
  return va_arg(l, int);
}
void f(int n, int *a, int (*call)(int))
{
  _Atomic int counter = 0;
  static _Thread_local int mine;
  jmp_buf here;
  double d;
#pragma acc parallel
  {
    goto next;
    { next:; }
    __asm__("nop");
    a[0] = call(1);
    a[1] = away(2);
    a[2] = many(1, 2);
    static int once;
    counter++;
    mine = 3;
    four v = {1};
    if (setjmp(here))
      ;
    int part[n * n >> 1];
    switch (n) {
    case 1:
      if (a[0]) {
      case 2:;
      }
    }
    int _Complex z;
    call = away;
    n = L"wide"[0];
    a[3] = __builtin_offsetof(struct { int x; }, x);
  }
#pragma acc parallel reduction(&:d) reduction(+:call)
  ;
#pragma acc data copy(a[0:n])
  {
    if (n)
      return;
  }
}
