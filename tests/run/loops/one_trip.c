// Loops with exactly one iteration, with every kind of bound.
// args: 1
// launches: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, a[3] = {0}, s = 0;
#pragma acc parallel loop copy(a) reduction(+:s)
    for (int i = 0; i < n; i++) {
        a[i] = 5;
        s += 3;
    }
#pragma acc parallel loop copy(a) reduction(+:s)
    for (int i = 2; i <= 2 * n; i += 100) {
        a[i]++;
        s += i;
    }
#pragma acc parallel loop copy(a)
    for (int i = n; i >= n; i--)
        a[i] += 7;
#pragma acc parallel loop collapse(3) copy(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 1; j++)
            for (int k = 1; k > 0; k--)
                a[i + k] += 10;
    printf("%d %d %d %d\n", a[0], a[1], a[2], s);
    return 0;
}
