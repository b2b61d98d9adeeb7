// A partitioned loop with two induction variables.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0, j = 10; i < n; i++)
        a[i] = j;
    return a[0] + b[0] + n + s;
}
