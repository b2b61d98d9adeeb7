// Unions: reading the bytes of a float and of a double; a union in a struct.
#include <stdio.h>
#include <stdint.h>

union bits {
    float f;
    uint32_t u;
    unsigned char b[4];
};
struct tagged {
    int kind;
    union {
        double d;
        uint64_t u;
        struct {
            uint32_t lo, hi;
        };
    };
};

int main(void)
{
    uint32_t r[20];
    struct tagged t[20];
#pragma acc parallel loop copyout(r, t)
    for (int i = 0; i < 20; i++) {
        union bits v;
        v.f = i * 0.25f;
        r[i] = v.u ^ (uint32_t)v.b[3] << 3;
        t[i].kind = i;
        t[i].d = -1.0 / (i + 1);
        t[i].hi &= 0x7fffffff;
    }
    for (int i = 0; i < 20; i++)
        printf("%x %d %.17g\n", r[i], t[i].kind, t[i].d);
    return 0;
}
