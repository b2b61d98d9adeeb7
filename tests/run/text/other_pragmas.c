// Other pragmas, inside and outside regions, pass through.
#include <stdio.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"

#pragma pack(push, 1)
struct tight {
    char c;
    int i;
};
#pragma pack(pop)

int main(void)
{
    struct tight a[4];
    int unused;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 4; i++) {
        int s = 0;
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            s += k * i;
        a[i].c = (char)i;
        a[i].i = s;
    }
#pragma GCC diagnostic pop
    printf("%d %d %d\n", (int)sizeof(struct tight), a[3].i, a[2].c);
    return 0;
}
