// sizeof and _Alignof of types, expressions, arrays, and of a VLA.
// modes: shared discrete (a GPU holds no variable-length arrays)
#include <stddef.h>
#include <stdio.h>

struct s {
    char c;
    double d;
    short t[3];
};

int main(void)
{
    int n = 7;
    unsigned long r[10];
    struct s one[2];
#pragma acc serial copyout(r) copyin(one)
    {
        double vla[n];
        vla[0] = 0;
        r[0] = sizeof(struct s);
        r[1] = sizeof one;
        r[2] = sizeof one / sizeof one[0];
        r[3] = _Alignof(double);
        r[4] = sizeof(int[3][4]);
        r[5] = sizeof vla + (unsigned long)vla[0];
        r[6] = _Alignof(struct s);
        r[7] = sizeof(char *);
        r[8] = sizeof(n + 1L);
        r[9] = sizeof one[0].t;
    }
    for (int i = 0; i < 10; i++)
        printf("%lu\n", r[i]);
    return 0;
}
