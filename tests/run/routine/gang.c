// Gang loops in routines: the gangs that call the routine share its iterations, so that none is done twice.
// launches: 3
#include <stdio.h>

#define N 1000

/* Counts how often each element was touched. */
#pragma acc routine gang
static void touch(int *count, int n)
{
#pragma acc loop gang vector
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        count[i] += 1;
    }
}

#pragma acc routine gang
static void nested(int *count, int rows, int columns)
{
    touch(count, rows * columns);
#pragma acc loop gang
    for (int i = 0; i < rows; i++) {
        int last = 0;
#pragma acc loop vector reduction(max : last)
        for (int j = 0; j < columns; j++)
            last = j > last ? j : last;
#pragma acc loop vector
        for (int j = 0; j < columns; j++) {
            /* Gangs are not waited for between loops: another one may still be at the first. */
#pragma acc atomic
            count[i * columns + j] += last;
        }
    }
}

int main(void)
{
    int count[N] = {0}, sum = 0;
#pragma acc parallel num_gangs(7) copy(count)
    touch(count, N);
    for (int i = 0; i < N; i++)
        sum += count[i] == 1;
#pragma acc parallel copy(count)
    touch(count, N);
    for (int i = 0; i < N; i++)
        sum += count[i] == 2;
#pragma acc parallel num_gangs(5) copy(count)
    nested(count, 20, 50);
    for (int i = 0; i < N; i++)
        sum += count[i] == 3 + 49;
    printf("%d\n", sum);
    return 0;
}
