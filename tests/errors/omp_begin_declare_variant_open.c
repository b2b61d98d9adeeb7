// A pair without an end.
// cflags: -fopenmp
int f(int x) { return x; }
#pragma omp begin declare variant match(device={kind(gpu)})
int f(int x) { return 2 * x; }

int main(void) {
    int y = 0;
    #pragma omp target map(y)
    y = f(1);
    return y;
}
