// A dynamic two-dimensional array, float **: the section maps the rows and attaches them.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 9, m = 13;
    float **a = malloc((unsigned)n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = malloc((unsigned)m * sizeof **a);
        for (int j = 0; j < m; j++)
            a[i][j] = (float)(i * m + j);
    }
#pragma acc parallel loop gang copy(a[0:n][0:m])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] * 2 + 1;
    }
#pragma acc data copy(a[0:n][0:m])
    {
#pragma acc parallel loop collapse(2) present(a[0:n][0:m])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] -= 1;
    }
    double s = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            s += a[i][j] * (j + 1);
        free(a[i]);
    }
    printf("%g\n", s);
    free(a);
    return 0;
}
