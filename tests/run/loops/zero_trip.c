// Loops that run zero times leave everything as it was, at every level.
// args: 0
// launches: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, a[4] = {1, 2, 3, 4}, s = 42, m = -7;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma acc parallel loop copy(a)
    for (int i = 5; i < n; i += 3)
        a[i] = 0;
#pragma acc parallel loop gang worker vector copy(a) reduction(+:s) reduction(max:m)
    for (int i = 3; i < n - 2; i++) {
        s += a[i];
        m = a[i] > m ? a[i] : m;
    }
#pragma acc parallel loop collapse(2) copy(a)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < n; j++)
            a[i] = 0;
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < 4; i++) {
        int t = 0;
#pragma acc loop vector reduction(+:t)
        for (int j = 10; j < n; j++)
            t += j;
        a[i] += t;
    }
    printf("%d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], s, m);
    return 0;
}
