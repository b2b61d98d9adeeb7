// A name that means the device's object, in a directive that is the host compiler's.
// cflags: -fopenmp
void g(int *p);

void f(int n)
{
    int x = n;
    #pragma omp target data use_device_addr(x)
    {
        #pragma omp parallel for firstprivate(x)
        for (int i = 0; i < n; i++)
            g(&x);
    }
}
