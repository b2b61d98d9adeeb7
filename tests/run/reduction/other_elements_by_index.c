// A loop that reduces elements of an array and uses others of it, by subscripts that only the program knows.
// args: 5
// launches: 6
#include <stdio.h>
#include <stdlib.h>
#define N 40

int main(int argc, char **argv)
{
    int k = argc > 1 ? atoi(argv[1]) : 0, n = N;
    int x[N], *p = x;
    for (int i = 0; i < n; i++)
        x[i] = i;
    // The first element is the sum of the others.
#pragma acc parallel loop reduction(+:x[0]) copy(x)
    for (int i = 1; i < n; i++)
        x[0] += x[i];
    // So is another, also of itself.
#pragma acc parallel loop gang vector reduction(+:p[k]) copy(p[0:n])
    for (int i = 0; i < n; i++)
        if (i != k)
            p[k] += p[i];
    printf("%d %d\n", x[0], x[k]);
    // Two elements, and what others are becomes something else.
#pragma acc parallel loop reduction(max:x[3:2]) copy(x)
    for (int i = 6; i < n; i++) {
        int at = 3 + i % 2;
        x[at] = x[at] > x[i] ? x[at] : x[i];
        x[i] = i * 2;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", x[i]);
    printf("\n");
    // Inner loops, with the section of the outer one.
#pragma acc parallel loop gang reduction(+:x[1:2]) copy(x)
    for (int i = 8; i < 16; i++) {
        x[1] += x[i];
#pragma acc loop vector reduction(+:x[1:2])
        for (int j = 16; j < 24; j++)
            x[1 + j % 2] += x[j] * i;
    }
    printf("%d %d\n", x[1], x[2]);
    // In a sequential loop, another element each time.
#pragma acc parallel copy(x)
    {
#pragma acc loop seq
        for (int t = 0; t < 4; t++) {
#pragma acc loop gang vector reduction(+:x[t])
            for (int i = 30; i < n; i++)
                x[t] += i * t;
        }
    }
    printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);
#pragma acc serial copy(x)
    {
#pragma acc loop reduction(*:x[2])
        for (int i = 3; i < 6; i++)
            x[2] *= x[i] % 3 + 1;
    }
    printf("%d\n", x[2]);
    return 0;
}
