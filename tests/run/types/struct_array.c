// An array of structs with members of different alignment.
#include <stdio.h>

struct rec {
    char tag;
    short s;
    double d;
    char name[5];
    long long l;
};

int main(void)
{
    struct rec a[30];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 30; i++) {
        a[i].tag = (char)('a' + i % 26);
        a[i].s = (short)(-i);
        a[i].d = i * 0.5;
        for (int k = 0; k < 4; k++)
            a[i].name[k] = (char)('A' + (i + k) % 26);
        a[i].name[4] = 0;
        a[i].l = 1LL << i;
    }
    for (int i = 0; i < 30; i++)
        printf("%c %d %g %s %lld\n", a[i].tag, a[i].s, a[i].d, a[i].name, a[i].l);
    return 0;
}
