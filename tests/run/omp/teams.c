// Teams that ask for their number and how many there are, in loops over teams, with threads and reductions, and in their statements.
// cflags: -fopenmp
// launches: 8
#include <stdio.h>
#include <omp.h>

#define N 200

#ifndef _OPENMP
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#define omp_get_team_num() 0
#define omp_get_num_teams() 1
#endif

static int a[N], who[N], teams[N];

int main(void) {
    int wrong = 0, sum = 0, most = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 11;

    #pragma omp target teams distribute map(from: who, teams) num_teams(8)
    for (int i = 0; i < N; i++) {
        who[i] = omp_get_team_num();
        teams[i] = omp_get_num_teams();
    }
    for (int i = 0; i < N; i++)
        wrong += who[i] < 0 || who[i] >= teams[i] || teams[i] > 8 || teams[i] != teams[0];
    printf("distribute %d\n", wrong);

    #pragma omp target teams distribute reduction(+: sum) map(to: a) map(from: teams)
    for (int i = N - 1; i >= 0; i--) {
        teams[i] = omp_get_num_teams();
        sum += a[i];
    }
    for (int i = 0; i < N; i++)
        wrong += teams[i] < 1;
    printf("reduction %d %d\n", sum, wrong);

    int count = 5;
    #pragma omp target teams distribute parallel for reduction(max: most) map(to: a) map(from: who, teams) num_teams(count)
    for (unsigned char i = 0; i < N; i++) {
        who[i] = omp_get_team_num() * 1000 + omp_get_thread_num();
        teams[i] = omp_get_num_teams() * 1000 + omp_get_num_threads();
        most = a[i] > most ? a[i] : most;
    }
    for (int i = 0; i < N; i++)
        wrong += who[i] / 1000 >= teams[i] / 1000 || who[i] % 1000 >= teams[i] % 1000 || teams[i] / 1000 > 5;
    printf("parallel for %d %d\n", most, wrong);

    int all = 0;
    #pragma omp target teams map(tofrom: a, all) num_teams(4)
    {
        if (omp_get_team_num() == 0)
            all = omp_get_num_teams();
        #pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    printf("statements %d %d\n", all >= 1 && all <= 4, a[7]);

    // Parts that programs make by themselves.
    sum = 0;
    #pragma omp target teams num_teams(3) reduction(+: sum) map(tofrom: a)
    for (int i = omp_get_team_num(); i < N; i += omp_get_num_teams())
        sum += a[i];
    printf("own parts %d\n", sum);

    #pragma omp target teams map(tofrom: a) num_teams(6)
    #pragma omp parallel num_threads(4)
    {
        int threads = omp_get_num_threads();
        int me = omp_get_team_num() * threads + omp_get_thread_num();
        for (int i = me; i < N; i += threads * omp_get_num_teams())
            a[i] *= 2;
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * i;
    printf("teams and threads %d\n", sum);

    int league = 0;
    #pragma omp target teams map(tofrom: a, league) num_teams(5)
    {
        #pragma omp loop
        for (int i = 0; i < N; i++)
            a[i] += 3;
        if (omp_get_team_num() == 0)
            league = omp_get_num_teams();
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * i;
    printf("loop %d %d\n", sum, league > 0);

    int none = -1, one = -1;
    #pragma omp target map(from: none, one)
    {
        none = omp_get_team_num() + omp_get_thread_num();
        one = omp_get_num_teams() * omp_get_num_threads();
    }
    printf("alone %d %d\n", none, one);
    return 0;
}
