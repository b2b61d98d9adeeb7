// Reductions on constructs and loops, and those that are implied.
// launches: 4
#include <stdlib.h>

int main(void)
{
    int n = 64;
    double *a = calloc(n * n, sizeof *a), rows[64];
    double sum = 0, most = -1;
    int all = 1;
#pragma acc data copyin(a[0:n*n])
    {
#pragma acc parallel loop reduction(+ : sum) reduction(max : most)
        for (int i = 0; i < n * n; i++) {
            sum += a[i];
            most = a[i] > most ? a[i] : most;
        }
#pragma acc parallel loop gang copyout(rows)
        for (int i = 0; i < n; i++) {
            double row = 0;
#pragma acc loop vector reduction(+ : row)
            for (int j = 0; j < n; j++)
                row += a[i * n + j];
            rows[i] = row;
        }
#pragma acc parallel reduction(+ : sum)
        {
#pragma acc loop gang vector
            for (int i = 0; i < n; i++)
                sum += a[i];
        }
#pragma acc parallel loop gang worker reduction(&& : all)
        for (int i = 0; i < n; i++)
            all = all && a[i] == 0;
    }
    return sum != 0 || most != 0 || !all || rows[5] != 0;
}
