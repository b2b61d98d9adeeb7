// Loop bounds that are expressions: members, array elements, conditionals, conversions.
// launches: 4
#include <stdio.h>

struct range {
    int lo, hi;
};

int main(void)
{
    int a[50] = {0}, lim[3] = {10, 20, 30};
    struct range r = {3, 17};
    double half = 0.5;
    unsigned char step = 2;
#pragma acc parallel loop copy(a)
    for (int i = r.lo; i < r.hi; i++)
        a[i] += 1;
#pragma acc parallel loop copy(a) copyin(lim)
    for (int i = lim[0]; i < lim[1] + lim[2] / 3; i += step)
        a[i] += 10;
#pragma acc parallel loop copy(a)
    for (int i = (int)(half * 10); i <= (r.lo > 2 ? r.hi : 0) * 2; i++)
        a[i] += 100;
#pragma acc parallel loop copy(a) copyin(lim)
    for (int i = 0; i < (int)(sizeof lim / sizeof lim[0]); i++) {
#pragma acc loop seq
        for (int k = lim[i] - 2; k < lim[i]; k++)
            a[k] += 1000;
    }
    for (int i = 0; i < 50; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
