// Chunks of one iteration of collapsed loops: the joined iterations go to threads, and to teams, in turn, and what a thread keeps for
// itself is the sum of these.
// cflags: -fopenmp
// expect-output: turns_of_collapsed.expect
#include <omp.h>
#include <stdio.h>

enum { ROWS = 5, COLUMNS = 7, MOST = 64 };

int main(void)
{
    int thread[ROWS * COLUMNS], team[ROWS * COLUMNS], own[MOST] = {0}, sums[MOST] = {0}, threads = 0, teams = 0, bad = 0;
#pragma omp target map(from : thread) map(tofrom : own, threads)
#pragma omp parallel num_threads(4)
    {
        int t = omp_get_thread_num(), mine = 0;
        if (t == 0)
            threads = omp_get_num_threads();
#pragma omp for schedule(static, 1) collapse(2)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                thread[i * COLUMNS + j] = t;
                mine += i * COLUMNS + j;
            }
        own[t] = mine;
    }
#pragma omp target teams num_teams(3) map(from : team) map(tofrom : teams)
    {
        int t = omp_get_team_num();
        if (t == 0)
            teams = omp_get_num_teams();
#pragma omp distribute dist_schedule(static, 1) collapse(2)
        for (int i = ROWS - 1; i >= 0; i--)
            for (int j = 0; j < COLUMNS; j += 2)
                team[(ROWS - 1 - i) * 4 + j / 2] = t;
    }
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        bad += thread[k] != k % threads;
        sums[k % threads] += k;
    }
    for (int k = 0; k < ROWS * 4; k++)
        bad += team[k] != k % teams;
    for (int t = 0; t < threads; t++)
        bad += own[t] != sums[t];
    printf("wrong: %d\n", bad);
    return 0;
}
