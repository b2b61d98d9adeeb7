// The loop counts away from its bound.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i--)
        a[i] = 1;
    return a[0] + b[0] + n + s;
}
