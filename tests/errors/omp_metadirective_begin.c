// A beginning without an end.
// cflags: -fopenmp
int main(void) {
    int x = 0;
    #pragma omp begin metadirective when(user={condition(1)}: target map(x))
    x = 1;
    return x;
}
