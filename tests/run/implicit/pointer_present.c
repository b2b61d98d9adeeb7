// Pointers without a clause point to data that an enclosing data region or enter data has mapped.
// launches: 3
#include <stdio.h>
#include <stdlib.h>

static void add(int n, int *x, const int *y)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

int main(void)
{
    int n = 50, *a = malloc(50 * sizeof *a), *b = malloc(50 * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
#pragma acc data copy(a[0:n]) copyin(b[0:n])
    {
        add(n, a, b);
        add(n / 2, a + 10, b + 20);
    }
#pragma acc enter data copyin(a[0:n])
    add(n, a, a);
#pragma acc exit data copyout(a[0:n])
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    free(a);
    free(b);
    return 0;
}
