// The last section's values: of scalars, structs and arrays, with copies, in regions of their own.
// cflags: -fopenmp
// expect-output: sections_last.expect
// launches: 1
#include <stdio.h>
struct pair { int a; double b; };
int main(void) {
    int x = 1, y = 2, z[3] = {0}; struct pair p = {0, 0};
    #pragma omp target map(tofrom: x, y, z, p)
    {
        #pragma omp parallel sections lastprivate(x, p)
        {
            #pragma omp section
            { x = 10; p.a = 1; p.b = 1; }
            #pragma omp section
            { x = 20; p.a = 2; p.b = 2.5; }
        }
        #pragma omp parallel num_threads(4)
        {
            #pragma omp sections lastprivate(y) firstprivate(x)
            {
                { y = 5 + x; }
                #pragma omp section
                y = 7 + x;
                #pragma omp section
                { y = x; for (int i = 0; i < 3; i++) y += i; }
            }
            #pragma omp for
            for (int i = 0; i < 3; i++)
                z[i] = y + i;
        }
        #pragma omp parallel sections lastprivate(z)
        { { z[0] = z[1] = z[2] = 9; } }
    }
    printf("%d %d %d %d %d %g\n", x, y, z[0], z[2], p.a, p.b);
    return 0;
}
