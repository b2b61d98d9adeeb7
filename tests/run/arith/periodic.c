// Neighbours across periodic boundaries by remainders, in several spellings and directions, also of grids of one and two points; remainders
// of what is below zero are below zero.
#include <stddef.h>
#include <stdio.h>

enum { MOST = 70 };

#define WRAP(k, n) (((k) % (n) + (n)) % (n))

static long plane(int n, int m, const int *a, int *b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:n * m]) copyout(b[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += (3 * di + dj + 5) * a[(i + di + n) % n * m + (j + dj + m) % m];
            sum += 100 * a[(i + 2) % n * m + (m + j - 2) % m] + 1000 * a[WRAP(i - 1, n) * m + WRAP(j + 1, m)];
            b[i * m + j] = sum;
        }
    long total = 0;
    for (int k = 0; k < n * m; k++)
        total = total * 31 % 1000003 + b[k];
    return total;
}

static long line(size_t n, const int *a, int *b)
{
#pragma acc kernels copyin(a[0:n]) copyout(b[0:n])
    {
#pragma acc loop independent
        for (size_t i = 0; i < n; ++i)
            b[i] = a[(i + 1) % n] * 3 + a[(i + n - 1) % n] * 5 + a[(n + i - 2) % n] * 7 + a[(i + 3) % n];
    }
    long total = 0;
    for (size_t k = 0; k < n; k++)
        total = total * 31 % 1000003 + b[k];
    return total;
}

static long inside(long n, const int *a, int *b)
{
    for (long k = 0; k < n; k++)
        b[k] = 0;
#pragma acc parallel loop gang vector vector_length(32) copyin(a[0:n]) copy(b[0:n])
    for (long i = 1; i <= n - 2; i++) {
        long before = (i - 1 + n) % n, behind = (i + 1) % n, far = (i - 5) % n;
        b[i] = a[before] + 10 * a[behind] + (int)(1000 * far);
        for (long k = 0; k < n; k++)
            b[i] += a[(k + 1) % n] * (int)k + (int)((k - 4 + n) % n);
    }
    long total = 0;
    for (long k = 0; k < n; k++)
        total = total * 31 % 1000003 + b[k];
    return total;
}

static long negative(int n, int *b)
{
#pragma acc parallel loop copyout(b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = (i - 1) % n + 10 * ((i - 3 + n) % n) + 100 * ((n - i) % n) + 1000 * ((2 * i + 1) % n) + 10000 * ((i + 7 * n - 1) % n);
    long total = 0;
    for (int k = 0; k < n; k++)
        total = total * 31 % 1000003 + b[k];
    return total;
}

int main(void)
{
    static int a[MOST * MOST], b[MOST * MOST];
    for (int k = 0; k < MOST * MOST; k++)
        a[k] = k * 7 % 23;
    int sizes[] = {1, 2, 3, 4, 5, 33, 70};
    for (int s = 0; s < 7; s++) {
        int n = sizes[s];
        printf("%d: %ld %ld %ld %ld\n", n, line(n, a, b), inside(n, a, b), negative(n, b), plane(n, n, a, b));
        printf("%ld %ld\n", plane(n, 2, a, b), plane(1, n, a, b));
    }
    return 0;
}
