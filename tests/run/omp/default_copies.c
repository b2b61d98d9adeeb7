// `default(private)` and `default(firstprivate)`: copies of what no clause names.
// cflags: -fopenmp
// expect-output: default_copies.expect
// launches: 6
#include <omp.h>
#include <stdio.h>
#define N 100

int main(void) {
    int share = 5, priv, out[N], list[3] = {1, 2, 3};
    double factor = 0.5, sum = 0;
    for (int i = 0; i < N; i++)
        out[i] = i;

    #pragma omp target teams distribute parallel for map(tofrom: out) default(firstprivate) shared(out)
    for (int i = 0; i < N; i++) {
        share += i;
        out[i] += share;
    }
    printf("%d %d %d\n", out[0], out[99], share);

    #pragma omp target teams distribute parallel for map(tofrom: out) default(private) shared(out)
    for (int i = 0; i < N; i++) {
        priv = i * 2;
        out[i] -= priv;
    }
    printf("%d %d\n", out[0], out[99]);

    #pragma omp target teams num_teams(4) map(tofrom: out) default(firstprivate) shared(out)
    {
        share += 10;
        list[1] += share;
        if (omp_get_team_num() == 0)
            out[0] = list[0] + list[1] + share;
    }
    printf("%d %d %d\n", out[0], list[1], share);

    #pragma omp target map(tofrom: out)
    #pragma omp parallel num_threads(8) default(firstprivate) shared(out)
    {
        share += omp_get_thread_num();
        #pragma omp barrier
        out[omp_get_thread_num()] = share;
    }
    printf("%d %d\n", out[0], out[7]);

    #pragma omp target parallel for map(tofrom: out, sum) default(firstprivate) shared(out) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        factor += i;
        sum += factor;
    }
    printf("%g %g\n", sum, factor);

    #pragma omp target map(tofrom: out)
    #pragma omp parallel for default(private) shared(out)
    for (int i = 0; i < N; i++) {
        factor = i;
        out[i] = factor * 2;
    }
    printf("%d %d\n", out[1], out[50]);
    return 0;
}
