// Copies of a statement would be several variables.
// cflags: -fopenmp
int main(void) {
    int n = 4, x = 0;
    #pragma omp metadirective when(user={condition(n)}: target map(tofrom: x)) otherwise(parallel)
    {
        static int count;
        x = ++count;
    }
    return x;
}
