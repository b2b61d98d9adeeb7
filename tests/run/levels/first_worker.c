// Vector loops outside of worker loops in kernels that have both: the first worker runs them, all see the results.
// launches: 2
#include <stdio.h>

#pragma acc routine vector
static int total(int n, const int *x)
{
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main(void)
{
    enum { N = 300 };
    int a[N], b[N], c[N], hits = 0;
    long sums[3] = { 0 };
    for (int i = 0; i < N; i++)
        a[i] = i % 7;
#pragma acc parallel num_gangs(1) num_workers(4) vector_length(64) copyin(a) copyout(b, c) copy(hits, sums)
    {
#pragma acc loop worker
        for (int i = 0; i < N; i++)
            b[i] = a[i] * 2;
        long t = 5;
        int most = -1;
#pragma acc loop vector reduction(+ : t) reduction(max : most)
        for (int i = 0; i < N; i++) {
            t += b[i];
            most = b[i] > most ? b[i] : most;
        }
        int scale = most > 11 ? 3 : 4;
#pragma acc loop vector
        for (int i = 0; i < N; i++) {
            c[i] = b[N - 1 - i] * scale;
            if (c[i] > 30) {
#pragma acc atomic update
                hits++;
            }
        }
#pragma acc loop worker vector
        for (int i = 0; i < N; i++)
            b[i] = c[i] + 1;
        sums[0] = t;
        sums[1] = total(N, c);
        sums[2] = total(N, b) + most;
    }
    int rows[40];
#pragma acc parallel loop gang num_workers(2) vector_length(32) copyin(a) copyout(rows)
    for (int i = 0; i < 40; i++) {
        int w = 0, v = 0;
#pragma acc loop worker reduction(+ : w)
        for (int j = 0; j < i; j++)
            w += a[j];
#pragma acc loop vector reduction(+ : v)
        for (int j = 0; j < i; j++)
            v += a[j] * w;
        rows[i] = v + total(i, a);
    }
    printf("%d %ld %ld %ld\n", hits, sums[0], sums[1], sums[2]);
    for (int i = 0; i < N; i += 13)
        printf("%d %d ", b[i], c[i]);
    for (int i = 0; i < 40; i++)
        printf("%d ", rows[i]);
    printf("\n");
    return 0;
}
