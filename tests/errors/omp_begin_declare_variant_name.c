// A variant whose declarator is not understood.
// cflags: -fopenmp
static int g(int x) { return x; }
int (*f(void))(int) { return g; }
#pragma omp begin declare variant match(device={kind(gpu)})
int (*f(void))(int) { return g; }
#pragma omp end declare variant

int main(void) {
    int y = 0;
    #pragma omp target map(y)
    y = g(1);
    return y;
}
