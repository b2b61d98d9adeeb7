// What one thread has found out goes to all: copyprivate, and reductions of scope.
// cflags: -fopenmp
// expect-output: copyprivate.expect
// launches: 4
#include <omp.h>
#include <stdio.h>
#define N 20

struct pair {
    int a;
    double b[3];
};

int main(void) {
    int got[N], count = 0, sum = 7, most = 0;
    double second[N];

    #pragma omp target parallel num_threads(N) map(from: got, second) map(tofrom: count)
    {
        int t = omp_get_thread_num(), x = t;
        struct pair p = {t, {0, 0, 0}};
        // In a loop, one value after another.
        int all = 0;
        for (int k = 0; k < 3; k++) {
            #pragma omp single copyprivate(x, p)
            {
                x = 10 * k + 5;
                p.a = k;
                p.b[1] = k + 0.5;
                count++;
            }
            all += x + p.a;
        }
        got[t] = all + t;
        second[t] = p.b[1];
    }
    int right = 1;
    for (int i = 0; i < N; i++)
        right &= got[i] == 5 + 15 + 25 + 3 + i && second[i] == 2.5;
    printf("%d %d\n", right, count);

    #pragma omp target parallel num_threads(N) map(tofrom: sum, most)
    {
        int t = omp_get_thread_num();
        #pragma omp scope reduction(+: sum) reduction(max: most)
        {
            sum += t;
            most = t > most ? t : most;
        }
        if (t == 3)
            sum += most;
    }
    printf("%d %d\n", sum, most);

    // Each thread has one turn, whether they are told apart or not.
    int turns = 0;
    #pragma omp target parallel num_threads(6) map(tofrom: turns)
    {
        #pragma omp scope reduction(+: turns)
        turns++;
    }
    printf("%d\n", turns);

    // Of teams.
    int of[2][4];
    #pragma omp target teams num_teams(2) map(from: of)
    {
        #pragma omp parallel num_threads(4)
        {
            int v = -1;
            #pragma omp single copyprivate(v)
            v = omp_get_team_num() + 40;
            of[omp_get_team_num()][omp_get_thread_num()] = v;
        }
    }
    printf("%d %d %d %d\n", of[0][0], of[0][3], of[1][0], of[1][3]);
    return 0;
}
