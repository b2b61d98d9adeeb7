// OpenMP 5.2, section 15.3.1: all threads of a team come to its barriers.
// cflags: -fopenmp
#include <omp.h>

int main(void)
{
    int a[4] = {0};
    #pragma omp target parallel num_threads(4) map(tofrom: a)
    {
        int t = omp_get_thread_num(), rounds = 1;
        switch (a[0]) {
        case 0:
            if (t > 2)
                break;
            rounds = 3;
        }
        for (int i = 0; i < rounds; i++) {
            a[t] += i;
            #pragma omp barrier
        }
    }
    return a[0];
}
