// Regions in loops of the host that are one for a directive of the host's; and sections of one array in several list items.
// cflags: -fopenmp
// expect-output: collapse_around_target.expect
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a[9] = {0}, b[12] = {0}, s = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int at = i * 3 + j;
#pragma omp target map(tofrom : a[at : 1])
            a[at] += at;
        }
#pragma omp for collapse(3)
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++) {
#pragma omp target map(tofrom : b[i * 6 + j * 3 + k : 1])
                b[i * 6 + j * 3 + k] += 100 * i + 10 * j + k;
            }
    }
#pragma omp target map(tofrom : b[0 : 2]) map(tofrom : b[8 : 2])
    {
        b[1] += 1000;
        b[9] += 2000;
    }
    int *p = malloc(10 * sizeof(int)), *rows[4];
    for (int k = 0; k < 10; k++)
        p[k] = k;
    for (int r = 0; r < 4; r++)
        rows[r] = p + r;
#pragma omp target map(tofrom : p[0 : 2], p[8 : 2])
    {
        p[1] += 3;
        p[8] += 4;
    }
#pragma omp target map(to : rows[0 : 4]) map(tofrom : rows[1][0 : 3])
    rows[1][2] = -5;
    for (int k = 0; k < 9; k++)
        s += a[k];
    printf("%d\n", s);
    for (int k = 0; k < 12; k++)
        printf("%d ", b[k]);
    printf("\n%d %d %d\n", p[1], p[3], p[8]);
    free(p);
    return 0;
}
