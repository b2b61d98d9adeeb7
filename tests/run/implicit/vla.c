// A VLA without a clause is copied whole.
// args: 11
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5;
    int a[n], b[n][3];
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        a[i] *= 3;
        for (int k = 0; k < 3; k++)
            b[i][k] = a[i] + k;
    }
    for (int i = 0; i < n; i++)
        printf("%d %d %d\n", a[i], b[i][0], b[i][2]);
    return 0;
}
