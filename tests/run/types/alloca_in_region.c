// alloca in regions and in the functions that they call: the memory lasts as long as the function, also behind the block.
#include <alloca.h>
#include <stdio.h>

static int sum_of(int n)
{
    int *first = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        int *part = alloca(sizeof(int) * n);
        for (int i = 0; i < n; i++)
            part[i] = i + k;
        if (!first)
            first = part;
    }
    for (int i = 0; i < n; i++)
        sum += first[i];
    return sum;
}

int main(void)
{
    static long r[200];
    int n = 5;
#pragma acc parallel loop copyout(r) firstprivate(n)
    for (int i = 0; i < 200; i++) {
        double *d;
        if (i % 2)
            d = alloca(sizeof *d * (n + i));
        else
            d = __builtin_alloca(sizeof(double) * (2 * n + i));
        for (int k = 0; k < n + i; k++)
            d[k] = k * i;
        r[i] = (long)d[n + i - 1] + sum_of(i % 9 + 1) + ((unsigned long)d % sizeof(double) == 0);
    }
    unsigned long sum = 0;
    for (int i = 0; i < 200; i++)
        sum = sum * 3 + r[i];
    printf("%lu\n", sum);
    return 0;
}
