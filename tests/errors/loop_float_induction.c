// A partitioned loop over a floating variable.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a)
    for (double x = 0; x < 10; x += 1)
        a[(int)x] = 1;
    return a[0] + b[0] + n + s;
}
