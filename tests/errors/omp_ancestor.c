// A region that calls the host back, in a file that does not say that it wants that.
// cflags: -fopenmp
int main(void)
{
    int x = 0;
    #pragma omp target map(tofrom: x)
    {
        #pragma omp target device(ancestor: 1) map(always, tofrom: x)
        x++;
    }
    return x;
}
