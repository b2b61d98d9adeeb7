// What `cache` can name, and where it stands.
void f(double *a, int n)
{
    double x = 1;
#pragma acc parallel copy(a[0:n])
    {
#pragma acc cache(a[0:4])
#pragma acc loop
        for (int i = 0; i < n; i++) {
#pragma acc cache(a[i:n])
#pragma acc cache(x[0])
            a[i] += x;
        }
    }
}
