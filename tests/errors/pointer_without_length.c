// A section of a pointer needs its length.
int main(void)
{
    int a[10], b[10], n = 10, s = 0, *p = a;
#pragma acc parallel loop copyout(p[0:])
    for (int i = 0; i < n; i++)
        p[i] = i;
    return a[0] + b[0] + n + s;
}
