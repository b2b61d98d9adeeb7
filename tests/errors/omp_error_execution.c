// The program does not say by itself on a device that something is wrong.
// cflags: -fopenmp
int main(void)
{
    int x = 0;
    #pragma omp target map(tofrom: x)
    {
        if (x)
        {
            #pragma omp error at(execution) message("x is set")
            x++;
        }
        x++;
    }
    return x;
}
