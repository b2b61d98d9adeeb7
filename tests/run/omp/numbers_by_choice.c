// Numbers of teams and threads that clauses choose by conditions, where regions ask for them.
// cflags: -fopenmp
#include <omp.h>
#include <stdio.h>

#define MOST(a, b) ((a) > (b) ? (a) : (b))

int main(void)
{
    int n = 8, teams[16] = {0}, threads[16] = {0}, both[64] = {0}, wrong = 0;
#pragma omp target teams num_teams(n > 3 ? 4 : 2) map(tofrom: teams)
    teams[omp_get_team_num()] = 1 + omp_get_num_teams();
#pragma omp target parallel num_threads(n > 3 && n < 100 ? n / 2 : 2) map(tofrom: threads)
    threads[omp_get_thread_num()] = omp_get_num_threads();
    n = 12;
#pragma omp target teams num_teams(MOST(n / 4, 2)) thread_limit(n * 4) map(tofrom: both)
#pragma omp parallel num_threads(n < 3 || n > 10 ? MOST(n - 8, 1) : n)
    both[omp_get_team_num() * 8 + omp_get_thread_num()] = 1 + omp_get_num_threads() + 10 * omp_get_num_teams();
    for (int i = 0; i < 16; i++) {
        wrong += teams[i] != (i < 4 ? 5 : 0);
        wrong += threads[i] != (i < 4 ? 4 : 0);
    }
    for (int i = 0; i < 64; i++)
        wrong += both[i] != (i < 24 && i % 8 < 4 ? 35 : 0);
    printf("%d\n", wrong);
    return wrong != 0;
}
