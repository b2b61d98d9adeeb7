// A recursive function called in a region.
static int fact(int x) { return x < 2 ? 1 : x * fact(x - 1); }

int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = fact(i);
    return a[0] + b[0] + n + s;
}
