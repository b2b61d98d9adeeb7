// What threads compute on either side of a loop that they share out, with reductions, and do not use.
// cflags: -fopenmp
// expect-output: unused_in_threads.expect
// launches: 3
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int r = 0;
    double x = 1;
    #pragma omp target parallel map(tofrom: r) num_threads(5)
    {
        int thread = omp_get_thread_num();
        #pragma omp for reduction(+: r)
        for (int i = 0; i < 20; i++)
            r += i;
        (void)thread;
    }
    printf("%d\n", r);

    #pragma omp target parallel map(tofrom: r, x) num_threads(5)
    {
        int thread = omp_get_thread_num();
        #pragma omp for reduction(+: r) reduction(max: x)
        for (int i = 0; i < 20; i++) {
            r += i;
            x = i / 2.0 > x ? i / 2.0 : x;
        }
        if (thread == 3)
            r++;
    }
    printf("%d %g\n", r, x);

    #pragma omp target teams num_teams(2) map(tofrom: r)
    {
        #pragma omp parallel num_threads(4)
        {
            int before = omp_get_team_num() + omp_get_thread_num();
            int sum = 0;
            #pragma omp for
            for (int i = 0; i < 8; i++)
                sum += i;
            before + sum;
            #pragma omp atomic
            r += sum;
        }
    }
    printf("%d\n", r);
    return 0;
}
