// Several loops over gangs of one construct that reduce the same variables, of several types, after one another.
#include <complex.h>
#include <stdio.h>

enum { N = 300 };

int main(void)
{
    int a[N];
    long s = 1;
    float complex z = 1 + I;
    double most = -5;
    for (int i = 0; i < N; i++)
        a[i] = i * 7 % 31;
#pragma acc parallel num_gangs(16) num_workers(4) vector_length(32) copyin(a) copy(s, z, most)
    {
#pragma acc loop gang reduction(+ : s, z)
        for (int i = 0; i < N / 2; i++) {
            s += a[i];
            z += a[i] + 2 * I;
        }
#pragma acc loop gang vector reduction(+ : z) reduction(max : most)
        for (int i = 0; i < N; i++) {
            z += a[i] % 5 - a[i] % 3 * I;
            most = most > a[i] ? most : a[i];
        }
#pragma acc loop gang worker reduction(+ : s) reduction(max : most)
        for (int i = 0; i < N; i++) {
            s += 3 * a[i];
            most = most > 2 * a[i] ? most : 2 * a[i];
        }
    }
    printf("%ld %g %g %g\n", s, crealf(z), cimagf(z), most);
    return 0;
}
