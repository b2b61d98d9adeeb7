// What `cache` can name.
void f(double *a, int n)
{
    double x = 1, few[4] = {0};
#pragma acc parallel copy(a[0:n])
    {
#pragma acc loop
        for (int i = 0; i < n; i++) {
#pragma acc cache(a[i:n])
#pragma acc cache(x[0])
#pragma acc cache(few[-1:3])
#pragma acc cache(few[2:2], few[4])
#pragma acc cache(few[x:1])
#pragma acc cache(few[a])
            a[i] += x + few[i % 4];
        }
    }
}
