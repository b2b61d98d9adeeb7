// Routines of omp.h that a device does not have yet.
// cflags: -fopenmp
#include <omp.h>

static int me(void) {
    return omp_get_ancestor_thread_num(0);
}

void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = omp_get_partition_num_places() + omp_get_team_size(0);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = me();
}

int main(void) { return 0; }
