// Sparse matrix times vector in CSR form, rows by gangs, entries by lanes.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 300, nnz = 0, *start = malloc(301 * sizeof *start);
    start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + i % 7;
    nnz = start[n];
    int *col = malloc((unsigned)nnz * sizeof *col);
    double *val = malloc((unsigned)nnz * sizeof *val), *x = malloc((unsigned)n * sizeof *x);
    double *y = malloc((unsigned)n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i % 13 - 6;
        for (int k = start[i]; k < start[i + 1]; k++) {
            col[k] = (i * 31 + k * 17) % n;
            val[k] = k % 5 - 2;
        }
    }
#pragma acc parallel loop gang copyin(start[0:n + 1], col[0:nnz], val[0:nnz], x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+:s)
        for (int k = start[i]; k < start[i + 1]; k++)
            s += val[k] * x[col[k]];
        y[i] = s;
    }
    double h = 0;
    for (int i = 0; i < n; i++)
        h += y[i] * (i % 10);
    printf("%d %g %g\n", nnz, h, y[299]);
    free(start);
    free(col);
    free(val);
    free(x);
    free(y);
    return 0;
}
