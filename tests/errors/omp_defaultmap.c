// Mistakes in `defaultmap`.
// cflags: -fopenmp
int main(void) {
    int x = 1;
    #pragma omp target defaultmap(tofro: scalar)
    x++;
    #pragma omp target defaultmap(tofrom: scalars)
    x++;
    return 0;
}
