// Outside of functions the data region is that of the program: nothing leaves it, and nothing is present before it.
int a[4], b[4], c[4], *p;
static __thread int local;
struct { int m[2]; } s;
#pragma acc declare copy(a)
#pragma acc declare copyout(b)
#pragma acc declare present(c)
#pragma acc declare create(local)
#pragma acc declare create(s.m)
#pragma acc declare copyin(p[0:4])
#pragma acc declare deviceptr(a)
int main(void)
{
    return 0;
}
