// Routines of omp.h about the threads and teams of a region.
// cflags: -fopenmp
// expect-output: routines.expect
// launches: 6
#include <omp.h>
#include <stdio.h>
#define N 40

#pragma omp declare target
static int level(void) { return omp_get_level(); }
static int inside(void) { return omp_in_parallel(); }
#pragma omp end declare target

int main(void) {
    int levels[4], in[4], counts[N], limits[N], limit = 6;
    #pragma omp target map(from: levels, in, counts)
    {
        levels[0] = level();
        in[0] = inside();
        counts[0] = omp_get_max_threads() > 1;
        #pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == 3) {
                levels[1] = level();
                in[1] = omp_in_parallel();
                counts[1] = omp_get_max_threads() >= 1;
            }
            #pragma omp barrier
            #pragma omp single
            {
                #pragma omp parallel num_threads(2)
                #pragma omp single
                levels[2] = level();
            }
        }
        #pragma omp parallel num_threads(1)
        {
            levels[3] = omp_get_level();
            in[2] = inside();
        }
    }
    printf("%d %d %d %d  %d %d %d  %d %d\n", levels[0], levels[1], levels[2], levels[3], in[0], in[1], in[2], counts[0],
           counts[1]);

    // No more threads than the limit says.
    #pragma omp target teams distribute parallel for num_teams(2) thread_limit(limit) num_threads(10) map(from: counts, limits)
    for (int i = 0; i < N; i++) {
        counts[i] = omp_get_num_threads();
        limits[i] = omp_get_thread_limit();
    }
    int right = 1;
    for (int i = 0; i < N; i++)
        right &= counts[i] <= 6 && counts[i] > 0 && limits[i] == 6;
    printf("%d\n", right);
    #pragma omp target teams num_teams(2) thread_limit(8) map(from: counts, limits)
    {
        #pragma omp parallel num_threads(3)
        {
            counts[omp_get_team_num() * 10 + omp_get_thread_num()] = omp_get_num_threads();
            if (omp_get_thread_num() == 0)
                limits[omp_get_team_num()] = omp_get_thread_limit();
        }
    }
    printf("%d %d %d %d\n", counts[0], counts[12], limits[0], limits[1]);
    #pragma omp target parallel num_threads(100) thread_limit(5) map(from: right)
    {
        #pragma omp single
        right = omp_get_num_threads() <= 5;
    }
    printf("%d\n", right);
    #pragma omp target map(from: right)
    right = omp_get_thread_limit() > 0;
    printf("%d\n", right);

    // Which device it is, and what is the same on all of them.
    int where[2], fixed[6];
    #pragma omp target map(from: where, fixed)
    {
        where[0] = omp_get_device_num();
        where[1] = omp_is_initial_device();
        fixed[0] = omp_get_max_teams() >= 0;
        fixed[1] = omp_get_teams_thread_limit() >= 0;
        fixed[2] = omp_get_dynamic();
        fixed[3] = omp_get_cancellation();
        fixed[4] = omp_get_max_active_levels();
        fixed[5] = omp_get_active_level();
    }
    printf("%d  %d %d %d %d %d %d\n", where[0] == (where[1] ? omp_get_initial_device() : omp_get_default_device()), fixed[0],
           fixed[1], fixed[2], fixed[3], fixed[4], fixed[5]);

    // Of a device without places.
    int others[3];
    #pragma omp target map(from: others)
    {
        others[0] = omp_get_num_procs() > 0;
        others[1] = omp_get_max_task_priority();
        others[2] = omp_get_proc_bind() == omp_proc_bind_false;
    }
    printf("%d %d %d\n", others[0], others[1], others[2]);
    return 0;
}
