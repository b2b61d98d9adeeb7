// Functions that only pointers lead to and that a device cannot run do no harm, as long as no region gets to them.
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <setjmp.h>
static jmp_buf env;
static int one(int x) { return x + 1; }
static int hostonly(int x) { if (x < 0) longjmp(env, 1); fprintf(stderr, "host %d\n", x); return x; }
static int vary(int x, ...) { va_list a; va_start(a, x); int r = va_arg(a, int); va_end(a); return r + x; }
static void bye(void) { fflush(stdout); }
typedef int (*F)(int);
static F fs[] = { one, hostonly, abs };
static int old() ;
int main(void)
{
    int a[10];
    atexit(bye);
    int (*o)() = (int (*)())old;
    int (*vp)(int, ...) = vary;
    F f = fs[vp(0, 0)];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = f(i) + (i % 2 ? fs[0] : fs[2])(-i) + o(i, 2);
    printf("%d %d %d\n", a[3], a[4], a[9]);
}
static int old(int x, int y) { return x * 10 + y; }
