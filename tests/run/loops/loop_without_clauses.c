// loop without any clause, nested; implicit independence in parallel.
#include <stdio.h>

int main(void)
{
    static double a[30][31];
#pragma acc parallel copyout(a)
#pragma acc loop
    for (int i = 0; i < 30; i++)
#pragma acc loop
        for (int j = 0; j < 31; j++)
            a[i][j] = i - j * 0.5;
    double s = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 31; j++)
            s += a[i][j] * (i ^ j);
    printf("%g\n", s);
    return 0;
}
