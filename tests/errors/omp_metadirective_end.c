// An end without a beginning.
// cflags: -fopenmp
int main(void) {
    int x = 0;
    #pragma omp metadirective when(user={condition(1)}: target map(x))
    x = 1;
    #pragma omp end metadirective
    return x;
}
