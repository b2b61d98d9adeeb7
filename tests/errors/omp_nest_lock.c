// Locks that a thread may take several times.
// cflags: -fopenmp
#include <omp.h>
#pragma omp declare target
omp_nest_lock_t lock;
#pragma omp end declare target

int main(void) {
    #pragma omp target
    omp_init_nest_lock(&lock);
    return 0;
}
