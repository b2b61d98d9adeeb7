// What stands between teams and distribute: branches, loops, early returns of functions.
// cflags: -fopenmp
// launches: 9
#include <omp.h>
#include <stdio.h>

#define N 200

static void choose(int n, double *a, int mode)
{
#pragma omp target teams map(tofrom: a[0:n]) num_teams(4)
    {
        if (mode > 0) {
#pragma omp distribute
            for (int i = 0; i < n; i++)
                a[i] += mode;
        } else {
#pragma omp distribute parallel for
            for (int i = 0; i < n; i++)
                a[i] -= 1;
        }
    }
}

static void sweep(int n, double rows[4][N])
{
#pragma omp target teams map(tofrom: rows[0:4]) num_teams(4)
    for (int t = 0; t < 4; t++) {
        double f = t + 0.5;
        if (t == 1)
            continue;
        switch (t) {
        case 2: {
#pragma omp distribute parallel for simd
            for (int i = 0; i < n; i++)
                rows[t][i] -= f;
            break;
        }
        default: {
#pragma omp distribute parallel for dist_schedule(static)
            for (int i = 0; i < n; i++)
                rows[t][i] = rows[t][i] * f + t;
        }
        }
    }
}

static int numbers(int n, int *a)
{
    int teams = 0;
#pragma omp target teams map(from: a[0:n], teams) num_teams(3)
    {
        int me = omp_get_team_num();
        if (n > 7) {
            if (me == 0)
                teams = omp_get_num_teams();
#pragma omp distribute
            for (int i = 0; i < n; i++)
                a[i] = me >= 0 ? i : -1;
        }
    }
    return teams > 0;
}

static void add(double *a, int n, int mode)
{
    if (n <= 0)
        return;
    if (mode == 3)
        return;
    if (mode > 0) {
#pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += mode;
    }
}

int main(void)
{
    double a[N], rows[4][N], sum = 0;
    int b[N], flag = 1;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        for (int t = 0; t < 4; t++)
            rows[t][i] = i - t;
    }
    choose(N, a, 2);
    choose(N, a, 0);
    sweep(N, rows);
    printf("%d\n", numbers(N, b));
#pragma omp target teams map(tofrom: a)
    add(a, N, 1);
#pragma omp target teams map(tofrom: a)
    add(a, N, 3);
#pragma omp target teams map(tofrom: a)
    {
        if (flag) {
#pragma omp loop
            for (int i = 0; i < N; i++)
                a[i] += 1;
        }
    }
#pragma omp target teams map(tofrom: a, sum) reduction(+: sum)
    {
        if (flag) {
#pragma omp distribute parallel for reduction(+: sum)
            for (int i = 0; i < N; i++)
                sum += a[i];
        }
    }
#pragma omp target teams loop map(tofrom: a)
    for (int i = 0; i < N; i++)
        a[i] -= rows[2][i];
    for (int i = 0; i < N; i += 17)
        printf("%g %d %g %g %g %g\n", a[i], b[i], rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
    printf("%g\n", sum);
    return 0;
}
