// Numbers of teams and threads that the host does not know in front of the region.
// cflags: -fopenmp
// expect-output: late_sizes.expect
// launches: 8
#include <omp.h>
#include <stdio.h>
#define N 1000

struct shape { int teams, threads; };

#pragma omp declare target
static int twice(int n) { return 2 * n; }

static void scale(double *a, int n, int threads) {
    #pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
#pragma omp end declare target

int main(void) {
    static double a[N];
    int n = N, teams = 4, threads = 32, seen = 0, most = 0, place = 0, ran[32] = {0}, count[8] = {0};
    struct shape shape = {6, 16};

    // A variable that is mapped, in front of the statement.
    #pragma omp target map(tofrom: a, teams) map(to: threads)
    {
        #pragma omp teams distribute parallel for num_teams(teams) thread_limit(threads)
        for (int i = 0; i < n; i++)
            a[i] = i;
    }

    // Members, expressions, calls of functions.
    #pragma omp target map(tofrom: a) map(to: shape)
    #pragma omp teams num_teams(shape.teams * 2) thread_limit(twice(shape.threads))
    #pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 1;

    // A statement that each team runs.
    #pragma omp target map(tofrom: ran, teams)
    #pragma omp teams num_teams(teams)
    {
        ran[omp_get_team_num()] += 1;
        #pragma omp distribute
        for (int i = 0; i < 16; i++)
            ran[16 + i] += 1;
    }
    for (int i = 0; i < 32; i++)
        seen += ran[i];
    printf("%d\n", seen);

    // The same for those that do not ask: each takes a place.
    #pragma omp target map(tofrom: ran, place, teams)
    #pragma omp teams num_teams(teams + 1)
    #pragma omp parallel num_threads(1)
    {
        int mine;
        #pragma omp atomic capture
        mine = place++;
        ran[mine] = -1;
    }
    printf("%d\n", place);

    // Threads.
    #pragma omp target map(tofrom: a, threads)
    #pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        a[i] += 1;

    #pragma omp target map(tofrom: a, most) map(to: shape)
    {
        int mine = shape.threads / 2;
        #pragma omp parallel num_threads(mine)
        {
            #pragma omp for
            for (int i = 0; i < n; i++)
                a[i] += 1;
            #pragma omp single
            most = omp_get_num_threads();
        }
        #pragma omp parallel for num_threads(mine + 1)
        for (int i = 0; i < n; i++)
            a[i] -= 1;
        scale(a, n, mine);
    }
    printf("%d\n", most);

    // In a loop, another number in each iteration.
    #pragma omp target teams num_teams(1) map(tofrom: count)
    for (int k = 1; k < 8; k++) {
        #pragma omp parallel num_threads(k)
        {
            #pragma omp atomic
            count[k] += omp_get_num_threads();
        }
    }
    for (int k = 1; k < 8; k++)
        printf("%d ", count[k]);
    printf("\n");

    // With a reduction, and with a lower bound.
    double sum = 0;
    #pragma omp target map(tofrom: sum, teams) map(to: a)
    #pragma omp teams num_teams(2:teams) reduction(+: sum)
    #pragma omp distribute parallel for reduction(+: sum) num_threads(teams * 8)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%g\n", sum);
    return 0;
}
