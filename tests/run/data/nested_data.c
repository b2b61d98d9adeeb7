// Nested data regions that name the same variable: only the outermost transfers.
// launches: 3
#include <stdio.h>

static void inner(int *a, int n)
{
#pragma acc data copyin(a[0:n])
    {
#pragma acc data copyout(a[0:n])
        {
#pragma acc parallel loop copy(a[0:n])
            for (int i = 0; i < n; i++)
                a[i] += 1;
        }
    }
}

int main(void)
{
    int a[40];
    for (int i = 0; i < 40; i++)
        a[i] = i;
#pragma acc data copy(a)
    {
        inner(a, 40);
        inner(a + 10, 5);
    }
    inner(a, 0);
    for (int i = 0; i < 40; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
