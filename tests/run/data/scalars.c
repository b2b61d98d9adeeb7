// Scalars and structs in data clauses: all directions, several sizes, pointers as scalars of a data region.
#include <stdio.h>

struct two {
    char c;
    double d;
};

int main(void)
{
    char c = 1;
    short s = 2;
    double d = 3;
    long long l = 0;
    _Bool b = 0;
    struct two t = {4, 5};
#pragma acc data copy(c, t) copyin(s) copyout(l) create(d)
    {
#pragma acc serial present(c, s, d, l, t) copy(b)
        {
            d = s * 2.5;
            c += 10;
            l = (long long)(d * 1000) << 20;
            t.c += c;
            t.d *= d;
            b = d > 4;
        }
#pragma acc update self(d)
    }
    printf("%d %d %g %lld %d %d %g\n", c, s, d, l, b, t.c, t.d);
    return 0;
}
