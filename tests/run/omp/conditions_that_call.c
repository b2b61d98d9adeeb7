// Threads of a team meet in control flow whose conditions call functions that only compute: of the library, of the program, with elements
// of shared arrays, in `&&` and `?:`.
// cflags: -fopenmp
// expect-output: conditions_that_call.expect
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, TEAMS = 3 };

static double distance(double a, double b)
{
    double d = a - b;
    return d < 0 ? -d : d;
}

static double largest(const double *v, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static int again(const double *error, int round)
{
    return distance(error[0], 0) > 1e-3 && round < 40;
}

int main(void)
{
    double x[TEAMS][N], left[TEAMS];
    int rounds[TEAMS], odd[TEAMS];
    for (int b = 0; b < TEAMS; b++)
        for (int i = 0; i < N; i++)
            x[b][i] = (i * 7 + b) % 11 - 5;
#pragma omp target teams distribute map(tofrom: x) map(from: left, rounds, odd)
    for (int b = 0; b < TEAMS; b++) {
        double error[2] = {-100, 0}, part[N];
        int count = 0, odds = 0;
        for (int i = 0; i < N; i++)
            part[i] = 0;
#pragma omp parallel num_threads(8) shared(error, part, count, odds)
        {
            int t = omp_get_thread_num();
            int round = 0;
            while (again(error, round)) {
#pragma omp for
                for (int i = 0; i < N; i++)
                    part[i] = x[b][i] / (2 + b);
#pragma omp barrier
                if (t == 0)
                    error[0] = -largest(part, N);
                round++;
#pragma omp barrier
                if (abs(round - 3) % 2 == 1 ? sqrt(round) < 2.5 : floor(cbrt(round)) > 1) {
#pragma omp for
                    for (int i = 0; i < N; i++)
                        x[b][i] = part[i];
                    if (t == 7)
                        odds++;
                }
#pragma omp barrier
            }
            for (double step = 16; fabs(step) >= 1 && distance(part[3], part[3]) == 0; step /= 2) {
                if (t == (int)log2(step))
                    count += round;
#pragma omp barrier
            }
        }
        left[b] = error[0];
        rounds[b] = count;
        odd[b] = odds;
    }
    double sum = 0;
    for (int b = 0; b < TEAMS; b++) {
        for (int i = 0; i < N; i++)
            sum += x[b][i] * (i + 1);
        printf("%d: %.6f %d %d\n", b, left[b], rounds[b], odd[b]);
    }
    printf("%.6f\n", sum);
    return 0;
}
