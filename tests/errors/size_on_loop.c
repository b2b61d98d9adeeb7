// Sizes on loops are for kernels and parallel constructs: in others, and in routines, they mean nothing.
#pragma acc routine worker
static void add(int *a, int n)
{
#pragma acc loop worker vector(16)
    for (int i = 0; i < n; i++)
        a[i]++;
}

int main(void)
{
    int a[10], n = 10;
#pragma acc parallel copy(a)
    add(a, n);
#pragma acc serial copy(a)
    {
#pragma acc loop vector(2)
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
#pragma acc kernels copy(a)
    {
#pragma acc loop gang(2) vector(32)
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
    return a[0];
}
