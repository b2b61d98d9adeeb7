// Arrays and structs without a clause are copied in and out.
// launches: 3
#include <stdio.h>

struct s {
    int x[3];
    double d;
};

int main(void)
{
    int a[20], b[4][5];
    struct s s = {{1, 2, 3}, 4};
    for (int i = 0; i < 20; i++)
        a[i] = i;
#pragma acc parallel loop
    for (int i = 0; i < 20; i++) {
        a[i] += 100;
        b[i / 5][i % 5] = a[i] * 2;
    }
#pragma acc serial
    {
        s.x[1] = 20;
        s.d += a[0];
    }
#pragma acc kernels
    for (int i = 0; i < 3; i++)
        s.x[i] *= 3;
    printf("%d %d %d %d %d %g\n", a[19], b[3][4], s.x[0], s.x[1], s.x[2], s.d);
    return 0;
}
