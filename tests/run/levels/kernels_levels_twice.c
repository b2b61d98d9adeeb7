// Nests in `kernels` whose loops ask for levels that they cannot all have, as programs for other compilers do.
// launches: 6
#include <stdio.h>

#define A 5
#define B 7
#define C 6
#define D 33

static double x[A][B][C][D], y[A][B][C][D];

static double digest(void)
{
    double s = 0;
    for (int i = 0; i < A * B * C * D; i++) s += (&y[0][0][0][0])[i] * (i % 17);
    return s;
}

int main(void)
{
    for (int i = 0; i < A * B * C * D; i++) (&x[0][0][0][0])[i] = i % 13;
#pragma acc data copyin(x) copy(y)
    {
#pragma acc kernels
        {
#pragma acc cache(x[0:A])
#pragma acc loop independent gang
        for (int a = 0; a < A; a++)
#pragma acc loop independent gang vector
            for (int b = 0; b < B; b++)
#pragma acc loop independent gang vector
                for (int c = 0; c < C; c++)
#pragma acc loop independent vector
                    for (int d = 0; d < D; d++) y[a][b][c][d] = x[a][b][c][d] + a + 2 * b;
        }
#pragma acc kernels
#pragma acc loop independent vector
        for (int a = 0; a < A; a++)
#pragma acc loop independent gang(4)
            for (int b = 0; b < B; b++)
#pragma acc loop independent
                for (int c = 0; c < C; c++)
                    for (int d = 0; d < D; d++) y[a][b][c][d] *= 2;
        double total = 0, most = 0;
#pragma acc kernels
#pragma acc loop independent gang vector reduction(+ : total)
        for (int a = 0; a < A; a++)
#pragma acc loop independent gang vector reduction(+ : total)
            for (int b = 0; b < B; b++)
#pragma acc loop independent vector reduction(+ : total)
                for (int c = 0; c < C; c++) total += y[a][b][c][a];
#pragma acc kernels
#pragma acc loop independent worker reduction(max : most)
        for (int a = 0; a < A; a++)
#pragma acc loop independent worker vector reduction(max : most)
            for (int d = 0; d < D; d++)
                if (y[a][1][2][d] > most) most = y[a][1][2][d];
#pragma acc kernels
#pragma acc loop independent vector
        for (int a = 0; a < A; a++) {
            double row[D];
#pragma acc loop independent vector
            for (int d = 0; d < D; d++) row[d] = x[a][0][0][d] + y[a][0][0][d];
#pragma acc loop independent vector
            for (int d = 0; d < D; d++) y[a][0][1][d] = row[D - 1 - d];
        }
#pragma acc kernels
#pragma acc loop independent vector
        for (int a = 0; a < A; a++)
#pragma acc loop gang
            for (int b = 1; b < B; b++) y[a][b][0][0] += y[a][b - 1][0][0];
        printf("%g %g\n", total, most);
    }
    printf("%g\n", digest());
    return 0;
}
