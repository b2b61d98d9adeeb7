// A pair in another one.
// cflags: -fopenmp
int f(int x) { return x; }
#pragma omp begin declare variant match(device={kind(gpu)})
#pragma omp begin declare variant match(construct={target})
int f(int x) { return 2 * x; }
#pragma omp end declare variant
#pragma omp end declare variant

int main(void) {
    int y = 0;
    #pragma omp target map(y)
    y = f(1);
    return y;
}
