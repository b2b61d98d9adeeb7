// Results of reductions behind OpenCL without memory that the host and kernels share: several of one construct, of all sizes, again and
// again, beside data that is copied out, and in a queue.
// env: ACCRUE_OPENCL_ADDRESSES=buffer
// launches: 13
#include <complex.h>
#include <stdio.h>

#define N 1000
#define FEW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(a) X(b) X(c) X(d) X(e) X(f)

static double v[N];

int main(void)
{
    double complex turned = 0;
    double largest = -1;
    float product = 1;
    char any = 0;
    for (int i = 0; i < N; i++)
        v[i] = (i * 37 % 101) / 8.0;
    for (int round = 0; round < 3; round++) {
        double sum = round;
#pragma acc parallel loop reduction(+:sum, turned) reduction(max:largest) reduction(*:product) reduction(||:any) copy(v)
        for (int i = 0; i < N; i++) {
            sum += v[i];
            turned += v[i] * I;
            largest = v[i] + round > largest ? v[i] + round : largest;
            product *= i % 100 ? 1 : 2;
            any = any || v[i] > 12;
            v[i] += 0.25;
        }
        printf("%g %g%+gi %g %g %d %g\n", sum, creal(turned), cimag(turned), largest, product, any, v[N - 1]);
    }
    int count = 5;
#pragma acc parallel loop reduction(+:count) copyin(v) async(1)
    for (int i = 0; i < N; i++)
        count += v[i] > 6;
#pragma acc wait(1)
    printf("%d\n", count);
    long s[4] = {1, 2, 3, 4};
    for (int k = 0; k < 8; k++) {
        long all = 0;
#pragma acc parallel loop reduction(+:all) reduction(+:s)
        for (int i = 0; i < N; i++) {
            all += i % (k + 2);
            s[i % 4] += k;
        }
        printf("%ld %ld\n", all, s[k % 4]);
    }
#define DECLARE(X) long n##X = 0x##X;
#define ADD(X) n##X += i;
#define SHOW(X) printf("%ld ", n##X);
    long n = 0;
    FEW(DECLARE)
#pragma acc parallel loop reduction(+:n, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd, ne, nf)
    for (int i = 0; i < N; i++) {
        n += i;
        FEW(ADD)
    }
    FEW(SHOW)
    printf("%ld\n", n);
    return 0;
}
