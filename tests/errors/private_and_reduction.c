// A variable is private and reduction on the same loop.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop private(s) reduction(+:s) copyin(a)
    for (int i = 0; i < n; i++)
        s += a[i];
    return a[0] + b[0] + n + s;
}
