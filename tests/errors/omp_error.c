// A directive that ends the compilation, and one that cannot end a program on a device.
// cflags: -fopenmp
int main(void)
{
    int x = 0;
    #pragma omp target map(tofrom: x)
    {
        #pragma omp error at(compilation) message("no such table")
        x++;
    }
    #pragma omp target map(tofrom: x)
    {
        #pragma omp error at(later)
        x++;
    }
    return x;
}
