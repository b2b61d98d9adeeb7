// How many elements a declared reduction has must be constant.
// cflags: -fopenmp
#pragma omp declare reduction(sum: int: omp_out += omp_in)

void f(int n, int *p) {
#pragma omp target teams distribute parallel for reduction(sum: p[0:n])
    for (int i = 0; i < 9; i++) p[i] += i;
}

int main(void) { return 0; }
