// An atomic update of a scalar that the region has for itself.
// cflags: -fopenmp
void f(int n, double *a) {
    int count = 0;
    #pragma omp target teams distribute parallel for map(to: a[0:n])
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        count++;
    }
}

int main(void) { return 0; }
