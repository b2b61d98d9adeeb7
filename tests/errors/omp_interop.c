// An `interop` that does nothing.
// cflags: -fopenmp
int main(void) {
    int x = 0;
    #pragma omp interop depend(in: x)
    #pragma omp target map(x)
    x = 1;
    return x;
}
