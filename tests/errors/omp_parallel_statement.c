// Threads that meet where they need not come together, variables that reduce on both sides of a barrier, and a schedule of threads
// that are told apart.
// cflags: -fopenmp
#include <omp.h>

void f(int n, double *a) {
    #pragma omp target parallel map(tofrom: a[0:n]) num_threads(4)
    {
        if (omp_get_thread_num() < 2) {
            #pragma omp barrier
        }
    }
    #pragma omp target parallel map(tofrom: a[0:n]) num_threads(4)
    {
        for (int i = omp_get_thread_num(); i < n; i += 2) {
            a[i] = i;
            #pragma omp barrier
        }
    }
    double s[2] = {0};
    #pragma omp target parallel map(tofrom: a[0:n]) num_threads(4) reduction(+: s)
    {
        s[0] += a[omp_get_thread_num()];
        #pragma omp barrier
        a[omp_get_thread_num()] = s[0];
    }
    #pragma omp target parallel map(tofrom: a[0:n]) num_threads(4)
    {
        #pragma omp for schedule(static, 4)
        for (int i = 0; i < n; i++)
            a[i] = omp_get_thread_num();
    }
}

int main(void) { return 0; }
