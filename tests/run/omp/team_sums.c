// Sums of each team's own: declared in `teams`, private there, of several variables, of loops that are joined or have lanes.
// cflags: -fopenmp
// expect-output: team_sums.expect
// launches: 7
#include <stdio.h>
#include <omp.h>
#define N 64
#define M 100
int main(void) {
    static double a[N][M]; double row[N], norm[N]; int cnt[N];
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) a[i][j] = i + j * 0.5;
    // reduction into a private of the team's iteration
    #pragma omp target teams distribute map(to: a) map(from: row)
    for (int i = 0; i < N; i++) {
        double t = 0;
        #pragma omp parallel for reduction(+: t)
        for (int j = 0; j < M; j++) t += a[i][j];
        row[i] = t;
    }
    // private of teams, in distribute parallel for
    #pragma omp target teams map(to: a) map(from: norm) num_teams(4)
    {
        double t = 0;
        #pragma omp distribute parallel for reduction(+: t)
        for (int i = 0; i < N; i++) t += a[i][0];
        norm[omp_get_team_num()] = t;
    }
    double s = 0; for (int i = 0; i < 4; i++) s += norm[i];
    double all = 0;
    #pragma omp target teams map(to: a) map(tofrom: all)  num_teams(4)
    {
        double t = 0;
        #pragma omp distribute parallel for reduction(+: t)
        for (int i = 0; i < N; i++) t += a[i][1];
        #pragma omp parallel num_threads(1)
        {
            #pragma omp atomic
            all += t;
        }
    }
    double again = 0;
    #pragma omp target teams map(to: a) map(tofrom: again) reduction(+: again)
    {
        double t = 0;
        #pragma omp distribute
        for (int i = 0; i < N; i++) t += a[i][2];
        again += t;
    }
    // Private by a clause, started with the value outside, with lanes; of two variables and operators; of joined loops.
    double t = 100, u = 1, most = -1;
    #pragma omp target teams map(to: a) map(tofrom: all) num_teams(3) firstprivate(t)
    {
        #pragma omp distribute parallel for simd reduction(+: t)
        for (int i = 0; i < N; i++) t += a[i][3];
        #pragma omp parallel num_threads(1)
        {
            #pragma omp atomic
            all += t - 100;
        }
    }
    #pragma omp target teams map(to: a) map(tofrom: all, most) num_teams(5) private(u)
    {
        int seen = 0;
        u = -5;
        #pragma omp distribute parallel for reduction(max: u) reduction(+: seen) collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                if (a[i][j] > u) u = a[i][j];
                seen++;
            }
        #pragma omp parallel num_threads(1)
        {
            #pragma omp critical
            if (u > most) most = u;
            #pragma omp atomic
            all += seen;
        }
    }
    // One variable of all teams beside one of each.
    long sum = 0, parts = 0;
    #pragma omp target teams map(tofrom: sum, parts) num_teams(6) reduction(+: sum)
    {
        long own = 0;
        #pragma omp distribute parallel for reduction(+: own, sum)
        for (int i = 0; i < 1000; i++) { own += i; sum += 2 * i; }
        #pragma omp parallel num_threads(1)
        {
            #pragma omp atomic
            parts += own;
        }
    }
    printf("%g %g %ld %ld\n", most, u, sum, parts);
    printf("%g %g %g %g\n", row[3], s, all, again);
    return 0;
}
