// Host variables around regions keep their values: private names, induction variables, expressions in clauses.
// launches: 2
#include <stdio.h>

static int calls;
static int count(int v)
{
    calls++;
    return v;
}

int main(void)
{
    int i = 77, a[8], n = 8;
#pragma acc parallel loop private(i) copyout(a[0:n]) num_gangs(count(2)) if (count(1))
    for (i = 0; i < n; i++)
        a[i] = i;
    i = 5;
#pragma acc serial copyin(a)
    {
        int n = a[3];
        n++;
    }
    int s = 0;
    for (int k = 0; k < n; k++)
        s += a[k];
    printf("%d %d %d\n", i, s, n);
    return calls > 10;
}
