// A reduction of the teams and of a loop in them, into the same variable, in regions that ask for the number of the team.
// cflags: -fopenmp
// expect-output: reduction_teams.expect
// launches: 3
#include <omp.h>
#include <stdio.h>

int main(void) {
    int n = 100, teams[100];
    double sum = 5, largest = 7;
    #pragma omp target map(tofrom: sum) map(from: teams)
    {
        #pragma omp teams num_teams(4) reduction(+: sum)
        {
            #pragma omp distribute parallel for reduction(+: sum)
            for (int i = 0; i < n; i++) {
                sum += i;
                teams[i] = omp_get_team_num();
            }
        }
    }
    printf("%g\n", sum);
    #pragma omp target teams num_teams(3) map(tofrom: largest) reduction(max: largest)
    {
        #pragma omp distribute parallel for reduction(max: largest)
        for (int i = 0; i < n; i++)
            largest = i > largest ? i : largest;
        largest = largest + 0 * omp_get_team_num();
    }
    printf("%g\n", largest);
    sum = 1;
    #pragma omp target teams num_teams(2) map(tofrom: sum) map(from: teams) reduction(+: sum)
    #pragma omp distribute
    for (int i = 0; i < n; i++) {
        teams[i] = omp_get_team_num();
        sum += 1;
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += teams[i] > 1;
    printf("%g %d\n", sum, wrong);
    return 0;
}
