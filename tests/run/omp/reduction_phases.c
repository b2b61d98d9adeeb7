// Reductions of `parallel` whose variable is used on both sides of barriers, in loops and in conditions.
// cflags: -fopenmp
// expect-output: reduction_phases.expect
// launches: 4
#include <omp.h>
#include <stdio.h>
#define N 50

int main(void)
{
    int s = 100, most = -5, a[N], loops = 3, plain = 0;
    double p = 1;
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 50;
    #pragma omp target parallel reduction(+: s) num_threads(16)
    {
        s += omp_get_thread_num();
        #pragma omp barrier
        s += 1;
    }
    printf("%d\n", s);

    #pragma omp target map(tofrom: most, p) map(to: a)
    #pragma omp parallel reduction(max: most) reduction(*: p) num_threads(6)
    {
        int t = omp_get_thread_num();
        if (a[t] > most)
            most = a[t];
        p *= t == 2 ? 3 : 1;
        #pragma omp barrier
        for (int k = 0; k < 3; k++) {
            if (a[t * 3 + k + 10] > most)
                most = a[t * 3 + k + 10];
            #pragma omp barrier
            p *= k + 1;
        }
    }
    printf("%d %g\n", most, p);

    // With shared loops between, and a number of threads that is a variable.
    s = 0;
    #pragma omp target teams num_teams(3) map(tofrom: s) map(to: a, loops) reduction(+: s)
    #pragma omp parallel reduction(+: s) num_threads(loops * 4)
    {
        for (int k = 0; k < loops; k++) {
            #pragma omp for
            for (int i = 0; i < N; i++)
                s += a[i];
            s += k == 1;
        }
        #pragma omp single
        s += 1000;
    }
    printf("%d\n", s);

    // In one stretch only.
    #pragma omp target map(tofrom: plain)
    #pragma omp parallel reduction(+: plain) num_threads(5)
    {
        int mine = omp_get_thread_num();
        #pragma omp barrier
        plain += mine;
    }
    printf("%d\n", plain);
    return 0;
}
