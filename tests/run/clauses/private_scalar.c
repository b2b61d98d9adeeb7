// private on parallel and on loops at each level.
// expect-output: private_scalar.expect
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[100], b[20][30], t = 5, u = 6;
#pragma acc parallel loop private(t) copyout(a)
    for (int i = 0; i < 100; i++) {
        t = i * 2;
        a[i] = t + 1;
    }
#pragma acc parallel loop gang private(t) copyout(b)
    for (int i = 0; i < 20; i++) {
        t = i;
#pragma acc loop vector private(u)
        for (int j = 0; j < 30; j++) {
            u = t * j;
            b[i][j] = u - t;
        }
    }
#pragma acc parallel private(t) num_gangs(1) copy(a)
    {
        t = 1000;
        a[0] = t;
    }
    printf("%d %d %d %d %d %d\n", a[0], a[99], b[19][29], b[3][4], t, u);
    return 0;
}
