// Results of worker and vector reductions that are read in a sequential loop around, in a branch, in the body of the worker
// loop whose vector loop they come from, by a function; results of routines.
// option-sets: visible.options
#include <stdio.h>
#define N 64

static double seen;

#pragma acc routine seq
static double half(const double *x)
{
    return *x / 2;
}

#pragma acc routine vector
static int dot(const int *x, const int *y, int n)
{
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    int twice = 2 * sum;
#pragma acc loop vector reduction(max : sum)
    for (int i = 0; i < n; i++)
        sum = sum > x[i] ? sum : x[i];
    return sum + twice;
}

#pragma acc routine worker
static int rows(const int *x, int n)
{
    int most = 0, all = 0;
#pragma acc loop worker reduction(max : most) reduction(+ : all)
    for (int r = 0; r < n; r++) {
        int sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += x[i] + r;
        most = most > sum ? most : sum;
        all += sum;
    }
    return most + all;
}

int main(int argc, char **argv)
{
    (void)argv;
    int x[N], y[N], t = 0, rounds[8], got[3];
    double s = 1, out[4];
    for (int i = 0; i < N; i++)
        x[i] = i % 7, y[i] = i % 5;

    // Newton's method in a way: each round depends on the sum of the one before.
#pragma acc parallel num_gangs(argc) copyin(x) copy(t) copyout(rounds)
    for (int round = 0; round < 8; round++) {
#pragma acc loop vector reduction(+ : t)
        for (int i = 0; i < N; i++)
            t += x[i] + round;
        if (t % 2) {
#pragma acc loop worker reduction(^ : t)
            for (int i = 0; i < N; i++)
                t ^= x[i];
        }
        rounds[round] = t;
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", rounds[i]);

    // The workers' sums come from the lanes', which each worker reads.
#pragma acc parallel num_gangs(argc) num_workers(4) copyin(x) copy(t, s) copyout(out)
    {
#pragma acc loop worker reduction(+ : s)
        for (int w = 0; w < 10; w++) {
            double inner = w;
#pragma acc loop vector reduction(+ : inner)
            for (int i = 0; i < N; i++)
                inner += x[i];
            s += inner * inner;
        }
        out[0] = half(&s);
#pragma acc loop worker reduction(+ : s)
        for (int w = 0; w < 10; w++) {
#pragma acc loop vector reduction(+ : s)
            for (int i = 0; i < N; i++)
                s += x[i];
        }
        out[1] = half(&s);
        seen = s;
#pragma acc loop vector reduction(min : seen)
        for (int i = 0; i < N; i++)
            seen = seen < x[i] + 3 ? seen : x[i] + 3;
        out[2] = seen;
#pragma acc loop worker vector reduction(max : s) reduction(min : seen)
        for (int i = 0; i < N; i++) {
            s = s > 1e6 * x[i] ? s : 1e6 * x[i];
            seen = seen < -x[i] ? seen : -x[i];
        }
        out[3] = s + seen;
    }
    printf("| %g %g %g %g %g %g | ", s, seen, out[0], out[1], out[2], out[3]);

    // Routines.
#pragma acc parallel num_gangs(1) num_workers(2) copyin(x, y) copyout(got)
    {
        got[0] = dot(x, y, N);
        got[1] = rows(x, N);
        got[2] = got[0] + got[1];
    }
    printf("%d %d %d\n", got[0], got[1], got[2]);
    return 0;
}
