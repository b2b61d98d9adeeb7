// Synchronous constructs in loops of the host in which nothing can tell whether they are complete, and in such in which something can.
#include <stdio.h>

enum { N = 24 };

// No call, no directive but the constructs: all spellings of a loop.
static void eliminate(int n, double *a)
{
    for (int k = 0; k < n; k++) {
#pragma acc parallel loop present(a[0:n * n])
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
#pragma acc parallel loop collapse(2) present(a[0:n * n])
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

static unsigned halves(unsigned n, float *restrict a, float *restrict b)
{
    unsigned half = 1, swaps = 0;
    do {
        if (half == 4) {
            half *= 2;
            continue;
        }
        float *from = swaps % 2 ? b : a, *to = swaps % 2 ? a : b;
#pragma acc kernels loop independent present(from[0:n], to[0:n])
        for (unsigned i = 0; i < n; i++)
            to[i] = from[i] + from[(i + half) % n];
        swaps++;
        half *= 2;
    } while (half < n);
    return swaps;
}

// Each iteration reads what the one before has copied back, or reduced.
static int copies(int n, int *a)
{
    int steps = 0, sum = 0, counts[2] = {0, 0};
    while (sum < 500) {
#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += i;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:n])
        for (int i = 0; i < n; i++)
            sum += a[i];
#pragma acc serial copy(counts)
        counts[sum % 2]++;
        steps += a[n - 1] > 3 ? counts[0] + 1 : counts[1];
    }
    return steps * 1000 + sum;
}

// The loop ends where a variable of the host says, and inner loops are their own.
static int until(int n, int *a)
{
    int k = 0;
    for (;;) {
        for (int part = 0; part < 3; part++)
#pragma acc parallel loop present(a[0:n])
            for (int i = part; i < n; i += 3)
                a[i] += k;
        if (++k == 5)
            break;
    }
    if (k > 3)
        for (int again = 0; again < 2; again++)
#pragma acc parallel loop present(a[0:n])
            for (int i = 0; i < n; i++)
                a[i] ^= again;
    else
        k = 0;
    return k;
}

static int check(int *value) { return ++*value; }

// A call, a `volatile` variable, a directive, a return: all of them see complete constructs.
static int seen(int n, int *a)
{
    volatile int flag = 0;
    int calls = 0;
    for (int k = 0; k < 3; k++) {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 2;
        flag = k;
        check(&calls);
#pragma acc update self(a[k:1])
        calls += a[k];
        if (a[k] > 1000)
            return flag;
    }
    return calls;
}

// Pragmas of the host's compiler, in front and inside.
static void pragmas(int n, int *a)
{
#pragma GCC unroll 1
    for (int k = 0; k < 3; k++) {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += k;
    }
    for (int k = 0; k < 3; k++) {
        int table[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            table[i] = i * k;
#pragma acc parallel loop present(a[0:n]) firstprivate(table)
        for (int i = 0; i < n; i++)
            a[i] -= table[i % 4];
    }
}

int main(void)
{
    static double matrix[N * N];
    static float a[N], b[N];
    static int list[N];
    for (int i = 0; i < N * N; i++)
        matrix[i] = i / N == i % N ? N : (i * 7 % 5) / 8.0;
    for (int i = 0; i < N; i++)
        a[i] = i % 3, b[i] = 0, list[i] = i;
#pragma acc data copy(matrix)
    eliminate(N, matrix);
    double product = 1;
    for (int i = 0; i < N; i++)
        product *= matrix[i * N + i] / N;
    printf("%.6f %.6f\n", product, matrix[N * N - 2]);
    unsigned swaps;
#pragma acc data copy(a, b)
    swaps = halves(N, a, b);
    printf("%u %g %g\n", swaps, a[5], b[7]);
    printf("%d\n", copies(N, list));
    int last, sum;
#pragma acc data copy(list)
    {
        last = until(N, list);
        sum = seen(N, list);
        pragmas(N, list);
    }
    for (int i = 0; i < N; i++)
        printf("%d ", list[i]);
    printf("%d %d\n", last, sum);
    return 0;
}
