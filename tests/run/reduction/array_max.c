// Array reductions with max and *, and a two-dimensional array.
// launches: 2
#include <stdio.h>

int main(void)
{
    double top[3] = {-1, -1, 50}, prod[3] = {1, 2, 3};
    int count[2][2] = {{0}};
#pragma acc parallel loop reduction(max:top) reduction(*:prod)
    for (int i = 0; i < 90; i++) {
        double v = i * 37 % 89;
        if (v > top[i % 3])
            top[i % 3] = v;
        prod[i % 3] *= i % 10 == 0 ? 2 : 1;
    }
#pragma acc parallel loop gang vector reduction(+:count)
    for (int i = 0; i < 1000; i++)
        count[i % 2][i % 5 == 0] += i;
    printf("%g %g %g %g %g %g\n", top[0], top[1], top[2], prod[0], prod[1], prod[2]);
    printf("%d %d %d %d\n", count[0][0], count[0][1], count[1][0], count[1][1]);
    return 0;
}
