// Nothing that can be assumed.
// cflags: -fopenmp
#pragma omp assumes no_openmp fast
int main(void) {
    int x = 0;
    #pragma omp target map(x)
    x = 1;
    #pragma omp assume holds(x) absent(parallel) if(x)
    return x;
}
