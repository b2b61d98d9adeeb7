// Metadirectives: in a region, in a function that a region calls and so does the host, and as a region.
// cflags: -fopenmp
// expect-output: metadirective.expect
// launches: 6
#include <omp.h>
#include <stdio.h>
#define N 64

#pragma omp declare target
static int twice(int x) {
    int y = 0;
    #pragma omp metadirective when(device={kind(nohost)}: nothing) otherwise(nothing)
    y = 2 * x;
    return y;
}
#pragma omp end declare target

int main(void) {
    int a[N], n = 0, on_device = -1;

    // One thread of several.
    #pragma omp target map(from: a)
    #pragma omp parallel num_threads(4)
    {
        #pragma omp metadirective \
            when(device={arch("nvptx")}: masked) \
            when(implementation={vendor(amd)}: for) \
            when(device={kind(nohost)}: masked) \
            default(for)
        for (int i = 0; i < N; i++)
            a[i] = omp_get_thread_num();
    }
    for (int i = 0; i < N; i++)
        n += a[i];
    printf("%d\n", n);

    #pragma omp target map(from: a)
    {
        #pragma omp metadirective when(device={kind(host)}: teams num_teams(1)) when(user={condition(0)}: single) otherwise(teams num_teams(2))
        #pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] = twice(i);
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == twice(i);
    printf("%d\n", n);

    // No directive.
    n = 0;
    #pragma omp target map(tofrom: n)
    {
        #pragma omp metadirective when(device={kind(nohost)}: nothing) default(teams distribute parallel for)
        for (int i = 0; i < N; i++)
            n += omp_in_parallel() == 0;
    }
    printf("%d\n", n);

    // It is the region; the clauses are its own.
    #pragma omp metadirective when(device={kind(nohost)}: nothing) \
        otherwise(target teams distribute parallel for map(from: a[0:64]) num_teams(2))
    for (int i = 0; i < N; i++)
        a[i] = 3 * i;
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == 3 * i;
    printf("%d\n", n);
    #pragma omp metadirective when(device={kind(host)}, user={condition(1)}: target map(from: on_device)) otherwise(parallel)
    {
        on_device = omp_is_initial_device() >= 0;
    }
    printf("%d\n", on_device);

    // The most special one.
    #pragma omp target map(from: a)
    {
        #pragma omp metadirective when(user={condition(1)}: single) when(user={condition(score(20): 1)}: parallel for num_threads(4)) \
            when(device={kind(any)}: single)
        for (int i = 0; i < N; i++)
            a[i] = omp_get_num_threads() <= 4;
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i];
    printf("%d\n", n);
    return 0;
}
