// `target update` of arrays that are shaped out of what a pointer leads to (OpenMP 5.2, section 4.2.4): columns of a matrix, a plane.
// cflags: -fopenmp
// expect-output: update_shaped.expect
// modes: discrete gpu (host and device copies differ on purpose)
// launches: 2
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int rows, columns;
    double *cells;
};

int main(void)
{
    int nx = 5, ny = 4, size = nx * (ny + 2);
    double *a = malloc(sizeof(double) * size);
    for (int i = 0; i < size; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:size])
    {
        #pragma omp target
        for (int i = 0; i < size; i++)
            a[i] = -i;
        // The two columns beside the edges come, the edges go.
        #pragma omp target update from((([nx][ny + 2])a)[0:nx][1], \
                                       (([nx][ny + 2])a)[0:nx][ny])
        printf("%g %g %g %g %g\n", a[0], a[1], a[4], a[7], a[2]);
        a[0] = 100;
        a[6] = 101;
        a[3] = 7;
        #pragma omp target update to((([nx][ny + 2])a)[0:nx][0])
    }
    printf("%g %g %g %g\n", a[0], a[6], a[3], a[29]);

    struct grid g = {3, 8, a};
    #pragma omp target enter data map(to: g.cells[0:g.rows * g.columns])
    #pragma omp target
    for (int i = 0; i < 24; i++)
        a[i] = 1000 + i;
    #pragma omp target update from(( ([g.rows][g.columns]) g.cells )[1:2][0:4:2])
    #pragma omp target exit data map(release: g.cells[0:g.rows * g.columns])
    for (int i = 6; i < 20; i++)
        printf("%g ", a[i]);
    printf("\n");
    free(a);
    return 0;
}
