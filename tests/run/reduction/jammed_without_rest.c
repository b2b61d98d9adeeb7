// Sequential loops whose number of iterations is a multiple of four around loops over lanes that only reduce: nothing is left of them.
#include <stdio.h>

static void largest(int n, const unsigned char *a, unsigned *most, long *sums)
{
#pragma acc parallel loop gang copyin(a[0:n]) copyout(most[0:n], sums[0:n])
    for (int i = 0; i < n; i++) {
        unsigned t = 0;
        long sum = 0;
        for (int q = 0; q < 8; q++) {
#pragma acc loop vector reduction(max : t)
            for (int p = 0; p < 31; p++)
                t = t > a[(i + p) % n] ? t : a[(i + p) % n];
        }
        for (short q = 0; q < 12; q++) {
#pragma acc loop vector reduction(+ : sum)
            for (int p = 0; p < 31; p++)
                sum += a[(q + p * i) % n];
        }
        most[i] = t;
        sums[i] = sum;
    }
}

int main(void)
{
    enum { N = 37 };
    unsigned char a[N];
    unsigned most[N];
    long sums[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i * 91 % 251;
    largest(N, a, most, sums);
    for (int i = 0; i < N; i++) {
        unsigned t = 0;
        long sum = 0;
        for (int p = 0; p < 31; p++)
            t = t > a[(i + p) % N] ? t : a[(i + p) % N];
        for (int q = 0; q < 12; q++)
            for (int p = 0; p < 31; p++)
                sum += a[(q + p * i) % N];
        wrong += t != most[i] || sum != sums[i];
    }
    printf("%d\n", wrong);
    return 0;
}
