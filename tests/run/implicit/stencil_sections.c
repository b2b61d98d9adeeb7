// Five points of a stencil, in rows whose length only the host knows: one section for all of them.
// launches: 3
#include <stdio.h>
#include <stdlib.h>

static void relax(int nx, int from, int to, int left, int right, const double *old, double *new)
{
#pragma acc parallel loop
    for (int x = left; x < right; x++)
        for (int y = from; y < to; y++)
            new[y * nx + x] = 0.25 * (old[y * nx + x + 1] + old[y * nx + x - 1] + old[(y - 1) * nx + x] +
                                      old[(y + 1) * nx + x]) + old[y * nx + x];
}

int main(void)
{
    int nx = 23, ny = 17;
    double *a = malloc(nx * ny * sizeof *a), *b = calloc(nx * ny, sizeof *b), sum = 0;
    for (int i = 0; i < nx * ny; i++)
        a[i] = i % 11;
    relax(nx, 1, ny - 1, 1, nx - 1, a, b);
    relax(nx, 2, ny - 3, 4, nx - 2, b, a);
    relax(-nx, 2 - ny, -1, 1, nx - 1, a, b);
    for (int i = 0; i < nx * ny; i++)
        sum += b[i] * (i % 7) + a[i];
    printf("%.12g\n", sum);
    return 0;
}
