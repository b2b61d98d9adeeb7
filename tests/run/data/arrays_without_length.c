// Data constructs whose sections of arrays have no length, around constructs that use the arrays without clauses and access nothing.
#include <stdio.h>

enum { N = 200 };

static int a[N];
static double rows[20][30];

static void plain(int n)
{
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
}

static void nested(size_t n)
{
    float local[64] = {0};
#pragma acc data copy(rows[0:n][0:30]) copy(local[:n])
    {
#pragma acc kernels
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < 30; ++j)
                rows[i][j] += i * j;
            local[i] = i + 2;
        }
#pragma acc parallel loop gang
        for (unsigned long i = 0; i < n; ++i)
#pragma acc loop vector
            for (int j = 0; j < 30; ++j)
                rows[i][j] += local[i];
    }
}

static void entered(long first, long last)
{
    long n = last - first;
#pragma acc enter data copyin(a[first:n])
#pragma acc serial loop default(present)
    for (long i = first; i < last; i++)
        a[i] *= 2;
#pragma acc exit data copyout(a[first:n])
}

int main(void)
{
    for (int n = 0; n < 4; n++) {
        plain(n);
        nested(n);
        if (n)
            entered(3, 3 + n);
        double sum = 0;
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 30; j++)
                sum = sum * 0.9 + rows[i][j];
        printf("%d %d %d %.17g\n", a[0], a[2], a[4], sum);
    }
    return 0;
}
