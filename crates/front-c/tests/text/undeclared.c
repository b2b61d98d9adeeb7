// What clang finds is told at the user's place, and without a word about carriers.
#define LENGTH(x) x[0:len]
struct S { int bit : 3; } s;
int f(void);
void g(int n, float *p)
{
#pragma acc parallel copy(p[0:m])  \
                     num_gangs(k)
    p[0] = 1;
#pragma acc parallel copy(LENGTH(p))
    p[0] = 1;
#pragma acc parallel copy(f())
    p[0] = 1;
#pragma acc parallel copyin(s.bit) if(s)
    p[0] = 1;
    n = x;
}
