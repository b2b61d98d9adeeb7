// Threads of a team meet in control flow that depends on elements of shared arrays, constants of floating-point type, bit-fields and
// comparisons with the null pointer, which are the same for all of them.
// cflags: -fopenmp
#include <stdio.h>

enum { N = 24, TEAMS = 3 };
struct state { unsigned odd : 1, rounds : 5; double error; };
static const int limits[3] = {2, 5, 3};

int main(void)
{
    double x[TEAMS][N], y[TEAMS] = {0};
    int steps[TEAMS] = {0};
    for (int b = 0; b < TEAMS; b++)
        for (int i = 0; i < N; i++)
            x[b][i] = (i * 7 + b) % 11;
#pragma omp target teams distribute map(tofrom: x, y, steps)
    for (int b = 0; b < TEAMS; b++) {
        double part[N], error[2] = {100, 100};
        int pivot[N];
        struct state s = {b & 1, 0, 100};
        double *extra = b == 2 ? part : NULL;
#pragma omp parallel shared(part, error, pivot, s)
        {
            while (error[0] > 1e-2) {
#pragma omp for
                for (int i = 0; i < N; i++)
                    part[i] = x[b][i] / 4;
#pragma omp single
                {
                    error[0] = 0;
                    for (int i = 0; i < N; i++)
                        error[0] = part[i] > error[0] ? part[i] : error[0];
                    steps[b]++;
                    s.rounds++;
                }
#pragma omp for
                for (int i = 0; i < N; i++)
                    x[b][i] = part[i];
            }
            for (int k = 0; k < limits[b]; k++) {
#pragma omp for
                for (int i = 0; i < N; i++)
                    pivot[i] = (i + k) % 5;
                if (pivot[k] != k) {
#pragma omp for
                    for (int i = 0; i < N; i++)
                        x[b][i] += pivot[i];
                }
#pragma omp barrier
            }
            if (s.odd) {
#pragma omp for
                for (int i = 0; i < N; i++)
                    x[b][i] -= 3;
            }
            if (extra != NULL) {
#pragma omp for
                for (int i = 0; i < N; i++)
                    x[b][i] += extra[i];
            }
            double factor = 1.0;
            do {
                factor *= 0.5;
#pragma omp for
                for (int i = 0; i < N; i++)
                    x[b][i] += factor * i;
            } while (factor > 0.125f);
#pragma omp master
            y[b] = error[0] + s.rounds;
        }
    }
    for (int b = 0; b < TEAMS; b++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += x[b][i] * (i + 1);
        printf("%.12g %.12g %d\n", sum, y[b], steps[b]);
    }
    return 0;
}
