// Several sections of a pointer are mapped. Without a map clause a region gets the one that its loops access; where they do not show it,
// the one that holds what the pointer leads to (OpenMP 5.2, 5.8.6).
// cflags: -fopenmp
// launches: 4
#include <stdio.h>
#include <stdlib.h>

#define N 40

int main(void)
{
    int h = N / 2, at[N];
    double *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++) {
        p[i] = i;
        at[i] = (i * 3) % h;
    }
#pragma omp target enter data map(to: p[0:h])
#pragma omp target enter data map(to: p[h:h])
    for (int part = 0; part < 2; part++) {
        int from = part * h, to = from + h;
#pragma omp target teams distribute parallel for
        for (int i = from; i < to; i++)
            p[i] += 2 * i;
    }
#pragma omp target teams distribute parallel for map(to: at)
    for (int i = 0; i < h; i += 2)
        p[at[i]] += 100;
#pragma omp target data map(p[0:h])
#pragma omp target data map(p[h:h])
#pragma omp target
    for (int i = h; i < N; i++)
        p[i] *= p[h] - i;
#pragma omp target exit data map(from: p[0:h])
#pragma omp target exit data map(from: p[h:h])
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s * 0.5 + p[i];
    printf("%.12g\n", s);
    free(p);
    return 0;
}
