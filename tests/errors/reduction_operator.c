// An operator that reductions do not have.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyin(a) reduction(%:s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return a[0] + b[0] + n + s;
}
