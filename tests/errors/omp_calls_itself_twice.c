// A function with a construct for the threads of its callers that calls itself in two places.
// cflags: -fopenmp
int count;
#pragma omp declare target(count)
int fib(int n)
{
    if (n < 2)
        return n;
#pragma omp critical
    count++;
    return fib(n - 1) + fib(n - 2);
}
#pragma omp declare target(fib)

int main(void)
{
    int r;
#pragma omp target map(from : r)
    r = fib(5);
    return r != 5;
}
