// The struct is copied, which is no mistake; but one member never had a value, and it is used.
// cflags: -gpu=nochoices
// finds: uninitialised: read of 4 bytes

#include <stdio.h>

struct point {
    float x, y;
    int colour;
};

int main(void)
{
    float a[64];

#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 64; i++) {
        struct point p[4], q;

        p[i % 4].x = i;
        p[i % 4].colour = 1;
        q.x = p[i % 4].x;
        q.y = p[i % 4].y; // found here
        a[i] = q.x + q.y; // found here
    }
    printf("%g\n", a[3]);
    return 0;
}
