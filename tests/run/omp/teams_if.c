// Where the condition of `teams` is false, there is one.
// cflags: -fopenmp
// expect-output: teams_if.expect
// launches: 5
#include <omp.h>
#include <stdio.h>

static int teams(int n, int limit) {
    int count = 0, asked = 0;
    #pragma omp target teams map(tofrom: asked) reduction(+: count) if(teams: n > limit) num_teams(n)
    {
        count++;
        if (omp_get_team_num() == 0)
            asked = omp_get_num_teams();
    }
    return 100 * asked + count;
}

static int inside(int n, int limit) {
    int count = 0;
    #pragma omp target map(tofrom: count)
    {
        #pragma omp teams if(teams: n > limit) num_teams(4) reduction(+: count)
        count += omp_get_team_num() >= 0;
    }
    return count;
}

int main(void) {
    printf("%d %d\n", teams(4, 3), teams(4, 4));
    printf("%d %d\n", inside(4, 3), inside(4, 4));
    long sum = 0;
    #pragma omp target teams distribute parallel for reduction(+: sum) if(teams: sum == 0) if(target: sum < 1)
    for (int i = 0; i < 1000; i++)
        sum += i;
    printf("%ld\n", sum);
    return 0;
}
