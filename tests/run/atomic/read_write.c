// Atomic reads and writes, with conversions and through members and pointers.
#include <stdio.h>

struct point {
    int id;
    double x;
};

int main(void)
{
    int flag = 0, n = 100, sum = 0, p_value = 3, *p = &p_value;
    struct point points[10];
    float seen = 0;
    long copies[100];
    for (int i = 0; i < 10; i++)
        points[i].id = i, points[i].x = 0;
#pragma acc parallel loop copy(flag, points, p[0:1]) copyout(copies)
    for (int i = 0; i < n; i++) {
        long v;
#pragma acc atomic read
        v = *p;
        copies[i] = v + i;
#pragma acc atomic write
        flag = 1 + 2 * 3;
#pragma acc atomic write
        points[i % 10].x = i % 10 * 2;
    }
#pragma acc serial copy(seen) copyin(points)
    {
#pragma acc atomic read
        seen = points[7].x;
    }
    for (int i = 0; i < n; i++)
        sum += copies[i];
    printf("%d %d %g\n", flag, sum, seen);
    for (int i = 0; i < 10; i++)
        printf("%d:%g ", points[i].id, points[i].x);
    printf("\n");
    return 0;
}
