// Bit-fields, signed and unsigned, stored by assignment, increment and compound assignment.
#include <stdio.h>

struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned : 0;
    unsigned long long c : 40;
    signed char d : 2;
    _Bool e : 1;
    unsigned f : 32;
};

int main(void)
{
    struct flags s[16];
#pragma acc parallel loop copyout(s)
    for (int i = 0; i < 16; i++) {
        struct flags t = {0};
        t.a = (unsigned)i;
        t.a++;
        t.b = i - 8;
        t.b *= 2;
        t.c = 0xffffffffffull - (unsigned)i;
        t.c += 3;
        t.d = i % 2 ? -1 : 1;
        t.e = i & 4;
        t.f = ~0u;
        t.f <<= i;
        s[i] = t;
    }
    for (int i = 0; i < 16; i++)
        printf("%u %d %llu %d %d %u\n", s[i].a, s[i].b, (unsigned long long)s[i].c, s[i].d, s[i].e, s[i].f);
    return 0;
}
