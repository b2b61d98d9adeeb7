// Routines of omp.h that a device does not have yet.
// cflags: -fopenmp
#include <omp.h>

void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = omp_get_thread_num() + omp_get_team_num();
}

int main(void) { return 0; }
