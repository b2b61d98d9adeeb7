// Bounds of wider types than their counters: numbers of iterations and sections are known as if the types were the same.
// launches: 5
#include <stdio.h>

static void add(long n, long m, const double *a, double *c)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        c[i] += a[i];
#pragma acc parallel loop
    for (unsigned i = 0; i <= m; i++)
        c[i] += 2 * a[i];
#pragma acc parallel loop gang
    for (int i = 2; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+ : s)
        for (int j = 0; j < m; j++)
            s += a[j];
        c[i] += s;
    }
#pragma acc kernels
    for (int i = (int)n - 1; i > m; i--)
        c[i] += a[i];
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n / 4; i++)
        for (short j = 0; j < 4; j++)
            c[i * 4 + j] += a[i * 4 + j];
}

int main(void)
{
    double a[40], c[40], sum = 0;
    for (int i = 0; i < 40; i++) {
        a[i] = i % 7;
        c[i] = 1;
    }
    add(40, 9, a, c);
    for (int i = 0; i < 40; i++)
        sum += i * c[i];
    printf("%g\n", sum);
    return 0;
}
