// Variables that the threads of a gang or a worker share: arrays written by vector loops, by routines, large ones.
// launches: 4
#include <stdio.h>

#pragma acc routine seq
static void set(double *p, int k, double value)
{
    p[k] = value;
}

#pragma acc routine vector
static double smooth(int n, const double *x)
{
    double t[64], sum = 0;
#pragma acc loop vector
    for (int i = 0; i < 64; i++)
        t[i] = x[i % n] + i;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += t[63 - i] * x[i % n];
    return sum;
}

int main(void)
{
    enum { N = 50 };
    double x[N], gangs[N], workers[N][N], large[N], routine[N];
    for (int i = 0; i < N; i++)
        x[i] = i + 0.5;
#pragma acc parallel loop gang copyin(x) copyout(gangs)
    for (int i = 0; i < N; i++) {
        double shared[40], passed[3], copied[4] = { i, 1, 2, 3 }, last = 0;
        int found = -1;
        set(passed, 1, x[i]);
#pragma acc loop vector
        for (int k = 0; k < 40; k++) {
            shared[k] = copied[k % 4] * k + passed[1];
            if (k == 17)
                found = k;
        }
#pragma acc loop vector
        for (int k = 0; k < 40; k++)
            if (k == 39)
                last = shared[39 - k];
        gangs[i] = shared[found] + last + copied[3];
    }
#pragma acc parallel loop gang num_workers(4) vector_length(64) copyin(x) copyout(workers)
    for (int i = 0; i < N; i++) {
#pragma acc loop worker
        for (int j = 0; j < N; j++) {
            double t[32], sum = 0;
            set(t, 0, j);
#pragma acc loop vector
            for (int k = 1; k < 32; k++)
                t[k] = x[(i + k) % N] + t[0];
            for (int k = 0; k < 32; k++)
                sum += t[k] * (k % 3);
            workers[i][j] = sum;
        }
    }
#pragma acc parallel loop gang num_gangs(5) copyin(x) copyout(large)
    for (int i = 0; i < N; i++) {
        double t[6000];
        long sum = 0;
#pragma acc loop vector
        for (int k = 0; k < 6000; k++)
            t[k] = k % 10 * x[i];
#pragma acc loop worker reduction(+ : sum)
        for (int j = 0; j < 4; j++) {
            double own[2000];
#pragma acc loop vector
            for (int k = 0; k < 2000; k++)
                own[k] = t[k] + j;
            sum += own[1999] + own[i];
        }
        large[i] = sum + t[5999];
    }
#pragma acc parallel loop gang worker num_workers(3) copyin(x) copyout(routine)
    for (int i = 0; i < N; i++) {
        double first = smooth(i + 1, x);
        routine[i] = first + smooth(N - i, x + i);
    }
    for (int i = 0; i < N; i++)
        printf("%g %g %g %g\n", gangs[i], workers[i][N - 1 - i], large[i], routine[i]);
    return 0;
}
