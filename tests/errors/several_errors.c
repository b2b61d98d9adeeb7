// Two mistakes in one file: both are reported.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyn(a)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc kernel
    {
    }
    return a[0] + b[0] + n + s;
}
