int shared_table[16];

void twice(int *a, int n)
{
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
