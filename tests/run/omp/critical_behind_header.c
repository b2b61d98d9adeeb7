#include <omp.h>
// The file starts with a header: what locks of `critical` need is declared in front of that.
// cflags: -fopenmp
// launches: 2
#include <stdio.h>

int main(void)
{
    int threads = 0, teams = 0;
#pragma omp target parallel map(tofrom : threads) num_threads(16)
    {
#pragma omp critical
        threads += omp_get_thread_num() >= 0;
    }
#pragma omp target teams distribute parallel for map(tofrom : teams)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(of_teams)
        teams += omp_get_team_num() >= 0;
    }
    printf("%d %d\n", threads, teams);
    return 0;
}
