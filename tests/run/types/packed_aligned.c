// Packed and over-aligned structs keep their layout on the device.
// launches: 2
#include <stdio.h>

struct __attribute__((packed)) tight {
    char c;
    int i;
    double d;
    short s;
};
struct loose {
    char c;
    _Alignas(32) float f;
};

int main(void)
{
    struct tight t[9];
    struct loose l[9];
    unsigned long sizes[2];
#pragma acc parallel loop copyout(t, l)
    for (int i = 0; i < 9; i++) {
        t[i].c = (char)i;
        t[i].i = i * 1000;
        t[i].d = i / 4.0;
        t[i].s = (short)-i;
        l[i].c = (char)(i + 1);
        l[i].f = (float)i;
    }
#pragma acc serial copyout(sizes)
    {
        sizes[0] = sizeof(struct tight);
        sizes[1] = sizeof(struct loose);
    }
    for (int i = 0; i < 9; i++)
        printf("%d %d %g %d %d %g\n", t[i].c, t[i].i, t[i].d, t[i].s, l[i].c, l[i].f);
    printf("%lu %lu\n", sizes[0], sizes[1]);
    return 0;
}
