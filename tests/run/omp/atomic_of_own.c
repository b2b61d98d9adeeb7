// Atomic updates, in regions with teams, of variables of `declare target`, and of those that clauses make the team's or the thread's own.
// cflags: -fopenmp
// expect-output: atomic_of_own.expect
#include <stdio.h>

#pragma omp declare target
int counter;
static long total;
#pragma omp end declare target

int main(void)
{
    int z, a[4], b[4];
    unsigned u = 7;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        counter++;
#pragma omp atomic
        total += i;
    }
#pragma omp target update from(counter, total)
#pragma omp target teams distribute private(z) map(from : a)
    for (int k = 0; k < 4; k++) {
        z = k;
#pragma omp parallel for
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            z += i;
        }
        a[k] = z;
    }
#pragma omp target teams distribute parallel for firstprivate(u) map(from : b)
    for (int k = 0; k < 4; k++) {
        unsigned before;
#pragma omp atomic capture
        {
            before = u;
            u = 7;
        }
        b[k] = before + u + k;
    }
    printf("%d %ld\n", counter, total);
    for (int k = 0; k < 4; k++)
        printf("%d %d\n", a[k], b[k]);
    return 0;
}
