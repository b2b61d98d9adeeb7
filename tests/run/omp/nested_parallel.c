// Regions of threads in regions of threads: a team of one, whose thread has the number 0.
// cflags: -fopenmp
// launches: 3
#include <omp.h>
#include <stdio.h>

static int number(void)
{
    int found = -1;
    #pragma omp parallel num_threads(1)
    found = omp_get_thread_num() * 10 + omp_get_num_threads();
    return found;
}

int main(void)
{
    int a[12] = {0};
    #pragma omp target parallel num_threads(3) map(tofrom: a)
    {
        int t = omp_get_thread_num(), mine = 7;
        #pragma omp parallel num_threads(1) firstprivate(mine)
        {
            mine += omp_get_thread_num() + omp_get_level() * 10;
            a[t] = mine;
            #pragma omp barrier
            a[3 + t] = omp_get_num_threads() * 100 + mine;
        }
        a[6 + t] = mine + omp_get_thread_num();
        #pragma omp barrier
        a[9 + t] = a[6 + (t + 1) % 3] + number();
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", a[i]);
    printf("\n");
    #pragma omp target teams distribute parallel for num_threads(4) map(tofrom: a)
    for (int i = 0; i < 6; i++) {
        #pragma omp parallel num_threads(1)
        a[i] += omp_get_thread_num() + 1;
        #pragma omp parallel for num_threads(1) reduction(+: a[i])
        for (int k = 0; k < 4; k++)
            a[i] += k + omp_get_thread_num();
    }
    #pragma omp target parallel for num_threads(4) map(tofrom: a) schedule(static, 1)
    for (int i = 6; i < 12; i++) {
        int outer = omp_get_thread_num(), inner = 5;
        #pragma omp parallel num_threads(1)
        {
            #pragma omp for
            for (int k = 0; k < 1; k++)
                inner = omp_get_thread_num();
        }
        a[i] += outer * 10 + inner;
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
