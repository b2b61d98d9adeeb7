// Routines of another file, at every level, which call others there and here, with reductions inside.
// with: across_files.part.c
// launches: 4
#include <stdio.h>

#define N 60

#pragma acc routine seq
double at(const double *a, int i);
#pragma acc routine vector
double sum(const double *row, int n);
#pragma acc routine worker
void scale(double *matrix, int rows, int n, double by);
#pragma acc routine gang
void fill(double *matrix, int rows, int n);

// The other file has a function of this name, too.
static double twice(double x) { return 2 * x; }

#pragma acc routine seq
double halved(double x) { return x / 2; }

int main(void)
{
    static double m[N][N], s[N];
#pragma acc data copyout(m, s)
    {
#pragma acc parallel present(m) num_gangs(7)
        fill(&m[0][0], N, N);
#pragma acc parallel loop gang present(m)
        for (int block = 0; block < 4; block++) scale(m[block * (N / 4)], N / 4, N, block + 1);
#pragma acc parallel loop gang worker present(m, s)
        for (int i = 0; i < N; i++) s[i] = twice(sum(m[i], i + 1));
#pragma acc parallel loop present(m, s)
        for (int i = 0; i < N; i++) s[i] += at(m[i], N - 1 - i) + halved(i);
    }
    for (int i = 0; i < N; i += 7) printf("%g %g\n", m[i][N - 1 - i], s[i]);
    return 0;
}
