// Scalars whose address iterations pass to functions, which read them, assign them first, or both; others know them, too.
#include <stdio.h>

enum { N = 1000 };

static double randlc(double *x, double a)
{
    *x = *x * a + 1;
    return *x;
}

static void seed(double *x, int i)
{
    *x = i;
}

static void seed_if(float *x, int i)
{
    if (i < 0)
        return;
    *x = i;
}

static int twice(int *k)
{
    seed_if(&(float){0}, *k);
    return *k *= 2;
}

static void both(int *a, int *b, int i)
{
    *a = i;
    *b = *a + 1;
}

int main(void)
{
    static double y[N], z[N];
    double t1, t2, sum = 0;
    float f;
    int k, a, b;
    seed(&t1, 3);
    seed(&t2, 3);
#pragma acc parallel loop copyout(y)
    for (int i = 0; i < N; i++) {
        t1 = i;
        for (int r = 0; r < 10; r++)
            y[i] = randlc(&t1, 0.5);
    }
#pragma acc parallel loop copyout(z)
    for (int i = 0; i < N; i++) {
        seed(&t2, i);
        for (int r = 0; r < 10; r++)
            z[i] = randlc(&t2, 0.5);
    }
    for (int i = 0; i < N; i++)
        sum = sum * 0.9 + y[i] + z[i] * 3;
    printf("%.12g\n", sum);
#pragma acc parallel loop gang copy(y)
    for (int i = 0; i < 10; i++) {
#pragma acc loop vector independent
        for (int j = 0; j < 100; j++) {
            f = 7;
            seed_if(&f, j - 50);
            k = j;
            both(&a, &b, i);
            y[i * 100 + j] += f + twice(&k) + a * b;
        }
    }
#pragma acc kernels copyout(z)
#pragma acc loop independent
    for (int i = 0; i < N; i++) {
        t1 = i;
        for (int r = 0; r < 10; r++)
            z[i] = randlc(&t1, 0.5);
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 0.9 + y[i] + z[i] * 3;
    printf("%.12g %.12g\n", sum, t1);
    return 0;
}
