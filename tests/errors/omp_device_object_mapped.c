// A name that means the device's object, in a directive that would map it.
// cflags: -fopenmp
void f(int n)
{
    int x = n;
    #pragma omp target data map(to: x)
    #pragma omp target data use_device_addr(x)
    {
        #pragma omp target map(tofrom: x)
        x = 1;
    }
}
