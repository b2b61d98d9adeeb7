// Arrays of variable length that the threads of a team share, and what threads keep across barriers where their number is a variable.
// cflags: -fopenmp
// expect-output: team_arrays.expect
// launches: 3
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static double sum_of(double *s, int n)
{
    int t = omp_get_thread_num();
    for (int w = n / 2; w > 0; w /= 2) {
        if (t < w)
            s[t] += s[t + w];
        #pragma omp barrier
    }
    return s[0];
}
#pragma omp end declare target

static void blocks(const double *x, int n, int teams, int threads, double *out)
{
    #pragma omp target teams num_teams(teams) map(to: x[0:n]) map(tofrom: out[0:teams])
    {
        double s[threads], kept[2][threads];
        int b = omp_get_team_num();
        #pragma omp parallel num_threads(threads)
        {
            int me = omp_get_thread_num();
            double v = 0, first[3] = {me, 1, 2};
            for (int i = b * threads + me; i < n; i += threads * omp_get_num_teams())
                v += x[i];
            s[me] = v;
            kept[b % 2][me] = v;
            #pragma omp barrier
            double all = sum_of(s, threads);
            #pragma omp barrier
            s[threads - 1 - me] = kept[b % 2][me] + first[0] * first[1];
            #pragma omp barrier
            if (me == 0)
                out[b] = all + s[threads / 2] * first[2] + v;
        }
    }
}

static void rows(int n, int m, int *out)
{
    #pragma omp target teams distribute map(from: out[0:n])
    for (int i = 0; i < n; i++) {
        int row[m + i];
        #pragma omp parallel for
        for (int j = 0; j < m + i; j++)
            row[j] = i * j;
        int most = 0;
        #pragma omp parallel for reduction(+: most)
        for (int j = 0; j < m; j++)
            most += row[m + i - 1 - j];
        out[i] = most;
    }
}

static double in_turn(double *a, int n, int threads)
{
    double sums[4];
    #pragma omp target map(tofrom: a[0:n]) map(from: sums) map(to: threads)
    {
        double next[n];
        #pragma omp parallel num_threads(threads)
        {
            double mine = 0;
            for (int k = 0; k < 3; k++) {
                #pragma omp for
                for (int i = 0; i < n; i++)
                    next[i] = (a[(i + 1) % n] + a[i]) / 2;
                mine += next[omp_get_thread_num()];
                #pragma omp for
                for (int i = 0; i < n; i++)
                    a[i] = next[i];
            }
            if (omp_get_thread_num() < 4)
                sums[omp_get_thread_num()] = mine;
        }
    }
    return sums[0] + 2 * sums[1] + 3 * sums[3];
}

int main(void)
{
    double x[600], out[5] = {0}, a[100];
    int lines[9];
    for (int i = 0; i < 600; i++)
        x[i] = i % 13;
    for (int i = 0; i < 100; i++)
        a[i] = i * 8 % 64;
    blocks(x, 600, 5, 64, out);
    rows(9, 40, lines);
    double s = in_turn(a, 100, 7);
    for (int b = 0; b < 5; b++)
        printf("%g ", out[b]);
    for (int i = 0; i < 9; i++)
        printf("%d ", lines[i]);
    printf("%g %g\n", s, a[50]);
    return 0;
}
