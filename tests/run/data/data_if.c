// if on data, enter data and exit data.
// launches: 6
#include <stdio.h>

static void work(int *a, int n, int use)
{
#pragma acc data copy(a[0:n]) if (use)
    {
#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
#pragma acc enter data copyin(a[0:n]) if (use > 1)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma acc exit data copyout(a[0:n]) if (use > 1)
}

int main(void)
{
    int a[6] = {0, 1, 2, 3, 4, 5};
    work(a, 6, 0);
    work(a, 6, 1);
    work(a, 6, 2);
    for (int i = 0; i < 6; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
