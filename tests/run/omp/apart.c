// Constructs that are written apart: `teams` with numbers of the host in a `target`; blocks with nothing but the loop, or another such block.
// cflags: -fopenmp
// expect-output: apart.expect
// launches: 7
#include <omp.h>
#include <stdio.h>
#define N 64

static int first[N], a[N];

int main(void) {
    int teams = 3, limit = 32, n = 0, block = 8;
    double sum = 1;

    #pragma omp target map(from: n)
    #pragma omp teams num_teams(teams) thread_limit(limit)
    if (omp_get_team_num() == 0)
        n = omp_get_num_teams();
    printf("%d\n", n);

    for (int t = 0; t < 2; t++) {
        #pragma omp target map(tofrom: a)
        #pragma omp teams num_teams(teams - 1) thread_limit(limit)
        {
            #pragma omp distribute
            for (int j = 0; j < N; j += block) {
                #pragma omp parallel for
                for (int i = j; i < j + block; i++)
                    a[i] += i;
            }
        }
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == 2 * i;
    printf("%d\n", n);

    #pragma omp target map(tofrom: sum) if(target: teams)
    #pragma omp teams distribute parallel for reduction(+: sum) num_teams((size_t)teams) num_threads(limit)
    for (int i = 0; i < N; i++)
        sum += i;
    printf("%g\n", sum);

    #pragma omp target teams distribute parallel for map(from: first)
    {
        for (int i = 0; i < N; i++)
            first[i] = i;
    }
    #pragma omp target map(tofrom: first)
    {
        #pragma omp parallel for
        { // the loop alone
            for (int i = 0; i < N; i++) {
                if (i % 2)
                    first[i]++;
            }
        }
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += first[i] == i + i % 2;
    printf("%d\n", n);

    sum = 0;
    #pragma omp target map(tofrom: sum)
    #pragma omp teams
    #pragma omp distribute parallel for reduction(+: sum)
    {
        { // braces in braces
            for (int i = 0; i < N; i++)
                sum += first[i];
        }
    }
    printf("%g\n", sum);
    return 0;
}
