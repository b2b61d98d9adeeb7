// Metadirectives that have other teams and other data on GPUs than on cores; selectors of a device that has a number.
// cflags: -fopenmp
// expect-output: metadirective_kinds.expect
#include <omp.h>
#include <stdio.h>
#define N 64

static int yes(void) { return 1; }
#pragma omp declare variant(yes) match(device={kind(gpu)})
static int is_gpu(void) { return 0; }

int main(void) {
    int gpu = -1, teams = 0, sum = 5, a[N];

    #pragma omp target map(from: gpu)
    gpu = is_gpu();

    // Another number of teams, in front of data of the teams.
    #pragma omp target map(from: teams)
    #pragma omp metadirective when(device={arch(nvptx)}: teams num_teams(4)) when(device={kind(gpu)}: teams num_teams(4) thread_limit(64)) \
        otherwise(teams num_teams(2))
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    printf("%d\n", teams == (gpu ? 4 : 2));

    // On GPUs it is private to each thread, on cores it is the region's.
    #pragma omp target map(tofrom: sum) map(from: a) device(omp_get_default_device())
    {
        #pragma omp metadirective when(device={kind(gpu)}: teams distribute parallel for private(sum)) otherwise(parallel for reduction(+: sum))
        for (int i = 0; i < N; i++) {
            sum = i;
            a[i] = sum;
        }
    }
    int n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == i;
    printf("%d %d\n", n, gpu ? sum == 5 : sum >= 5);

    n = 0;
    for (int device = 0; device <= omp_get_num_devices(); device++) {
        int kind = 0;
        #pragma omp metadirective when(target_device={device_num(device), kind(gpu)}: target map(from: kind) device(device)) \
            when(target_device={device_num(device), kind(nohost, cpu)}: target map(from: kind) device(device)) otherwise(nothing)
        kind = 1 + is_gpu();
        n += kind == (device == omp_get_num_devices() ? 1 : gpu ? 2 : 1);
    }
    printf("%d\n", n == omp_get_num_devices() + 1);

    int where = 0;
    #pragma omp metadirective when(target_device={arch(nvptx)}: target map(tofrom: where)) when(target_device={isa(sm_999)}: nothing) \
        when(target_device={kind(any)}: target map(tofrom: where))
    where += 1;
    printf("%d\n", where);
    return 0;
}
