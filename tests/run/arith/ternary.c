// The conditional operator: common type of the arms, nesting, only one arm evaluated, pointers as arms.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[20], b[20], evaluated = 0;
    double d[20];
#pragma acc parallel loop copyout(a, d)
    for (int i = 0; i < 20; i++) {
        d[i] = i % 2 ? i : 0.5;
        a[i] = i < 5 ? -1 : i < 10 ? (i & 1 ? 10 : 20) : i > 15 ? i : 0;
    }
#pragma acc serial copy(evaluated) copyout(b)
    {
        int x = 3, y = 4;
        for (int i = 0; i < 20; i++) {
            int *p = i % 3 ? &x : &y;
            (*(i & 1 ? &x : &y))++;
            b[i] = *p + (i > 10 ? evaluated++ : 0);
        }
    }
    for (int i = 0; i < 20; i++)
        printf("%d %g %d\n", a[i], d[i], b[i]);
    printf("%d\n", evaluated);
    return 0;
}
