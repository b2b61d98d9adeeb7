// A call through a function pointer in a region.
static int one(int x) { return x + 1; }

int main(void)
{
    int a[10], b[10], n = 10, s = 0;
    int (*f)(int) = one;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = f(i);
    return a[0] + b[0] + n + s;
}
