// Routines that call themselves, directly and through each other: sequential ones, and vector and worker routines whose lanes
// and workers share no variable.
#include <stdio.h>
#define N 64

static int odd(const int *x, int *y, int depth);

#pragma acc routine seq
static long ackermann(long m, long n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

#pragma acc routine vector
static int tree(const int *x, int depth)
{
    int sum = depth;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += x[i] + depth;
    int left = depth > 0 ? tree(x, depth - 1) : 0;
    int right = depth > 1 ? tree(x, depth - 2) : 0;
#pragma acc loop vector reduction(max : sum)
    for (int i = 0; i < N; i++)
        sum = sum > x[i] * left ? sum : x[i] * left;
    return sum + 3 * left - right;
}

#pragma acc routine worker
static int even(const int *x, int *y, int depth)
{
#pragma acc loop worker vector
    for (int i = 0; i < N; i++)
        y[i] += x[i] + depth;
    return depth > 0 ? 2 + odd(x, y, depth - 1) : 1;
}

#pragma acc routine worker
static int odd(const int *x, int *y, int depth)
{
#pragma acc loop worker
    for (int i = 0; i < N; i++)
        y[i] = 3 * y[i] + x[N - 1 - i];
    return depth > 0 ? 3 * even(x, y, depth - 1) : 0;
}

int main(void)
{
    int x[N], y[N], got[6];
    for (int i = 0; i < N; i++)
        x[i] = i % 7, y[i] = i;
#pragma acc parallel loop gang vector copyout(got[0:4])
    for (int i = 0; i < 4; i++)
        got[i] = (int)ackermann(2, i);
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(32) copyin(x) copyout(got[4:1])
    got[4] = tree(x, 5);
#pragma acc parallel num_gangs(1) num_workers(4) vector_length(32) copyin(x) copy(y) copyout(got[5:1])
    got[5] = even(x, y, 6);
    long all = 0;
    for (int i = 0; i < N; i++)
        all = all * 31 % 1000003 + y[i];
    printf("%d %d %d %d %d %d %ld\n", got[0], got[1], got[2], got[3], got[4], got[5], all);
    return 0;
}
