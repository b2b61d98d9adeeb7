// Anonymous structs and unions as members.
#include <stdio.h>

struct v {
    union {
        struct {
            int x, y, z;
        };
        int c[3];
    };
    struct {
        short tag;
    };
};

int main(void)
{
    struct v a[12];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 12; i++) {
        a[i].x = i;
        a[i].c[1] = i * i;
        a[i].z = a[i].c[0] + a[i].y;
        a[i].tag = (short)a[i].c[2];
    }
    for (int i = 0; i < 12; i++)
        printf("%d %d %d %d\n", a[i].c[0], a[i].y, a[i].c[2], a[i].tag);
    return 0;
}
