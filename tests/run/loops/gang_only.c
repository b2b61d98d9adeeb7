// Loops over gangs alone: their iterations may be spread over lanes too, unless they use what the gang has only once.
#include <stdio.h>
#include <stddef.h>

#define N 300
#define M 7

#pragma acc routine seq
static double twice(double x)
{
    return 2 * x;
}

static void rows(size_t n, const double *a, double *y)
{
#pragma acc parallel loop gang vector_length(64) copyin(a[0:n * M]) copyout(y[0:n])
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (unsigned k = 0; k < M; k++)
            y[i] += twice(a[k * n + i]);
    }
}

int main(void)
{
    static double a[N * M], y[N];
    static int b[N], c[N], d[N], e[N];
    double s = 0;
    for (int i = 0; i < N * M; i++)
        a[i] = i % 17;
    rows(N, a, y);

#pragma acc parallel loop gang reduction(+ : s) copyin(y)
    for (int i = 0; i < N; i++) {
        double t[3] = {y[i], 1, 2};
        for (int k = 0; k < 3; k++)
            s += t[k];
    }

    // A scalar of the gang's, which its iterations hand on.
    int count = 0;
#pragma acc parallel num_gangs(1) firstprivate(count) copyout(b)
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
            count++;
            b[i] = count - count + i;
        }
    }

    // One gang runs its iterations in order, and none of its lanes takes part.
    struct {
        double sum;
        int last;
    } total = {0, 0};
#pragma acc parallel num_gangs(1) copyin(y) copy(total)
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
        total.sum += y[i];
        total.last = total.last * 3 % 1001 + i;
    }

    // An array of the gang's, also through a pointer.
    int work[4];
#pragma acc parallel num_gangs(5) private(work) copyout(c, d)
    {
        int *p = work;
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 4; k++)
                work[k] = i + k;
            c[i] = work[3] - work[0] + i;
        }
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 4; k++)
                p[k] = i * k;
            d[i] = p[1] + p[2];
        }
    }

    // Lanes are used inside.
#pragma acc parallel loop gang copyout(e)
    for (int i = 0; i < N; i++) {
        int sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < i; k++)
            sum += k;
        e[i] = sum;
    }

    long all = 0;
    for (int i = 0; i < N; i++)
        all += b[i] + 3L * c[i] + 5L * d[i] + 7L * e[i];
    printf("%g %g %g %ld %g %d\n", y[0], y[N - 1], s, all, total.sum, total.last);
    return 0;
}
