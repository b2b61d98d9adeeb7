// A function with barriers that returns in a loop, which all threads leave alike.
// cflags: -fopenmp
#include <stdio.h>
#include <omp.h>
static int find(double *a, int n, int *seen) {
    for (int i = 0; i < n; i++) {
        if (a[i] > 0)
            return i;
        #pragma omp barrier
        if (omp_get_thread_num() == i % omp_get_num_threads()) seen[i] = i + 1;
        #pragma omp barrier
    }
    return -1;
}
int main(void) {
    enum { N = 50 };
    double a[N]; int seen[N] = {0}, found = 0;
    for (int i = 0; i < N; i++) a[i] = i == 37 ? 1 : -1;
    #pragma omp target parallel map(tofrom: a, found, seen) num_threads(64)
    { int f = find(a, N, seen);
      #pragma omp critical
      found += f; }
    int s = 0; for (int i = 0; i < N; i++) s += seen[i];
    printf("%d %d\n", found, s);
    return 0; }
