// A compute construct inside a compute construct.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel copy(a)
    {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] = i;
    }
    return a[0] + b[0] + n + s;
}
