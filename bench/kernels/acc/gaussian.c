// Gaussian elimination without pivots, float, 512 equations: two launches for each column.
#include "../kernels.h"

enum { N = 512 };

#if SPELLING == 1
static void eliminate(int n, const float *restrict in, float *restrict a, float *restrict b, float *restrict m)
{
#pragma acc parallel loop async present(in[0:n * n], a[0:n * n], b[0:n])
#pragma omp parallel for simd
    for (int k = 0; k < n * n; k++) {
        a[k] = in[k];
        if (k < n)
            b[k] = 1;
    }
    for (int t = 0; t < n - 1; t++) {
#pragma acc parallel loop async present(a[0:n * n], m[0:n])
#pragma omp parallel for simd
        for (int i = t + 1; i < n; i++)
            m[i] = a[i * n + t] / a[t * n + t];
#pragma acc parallel loop collapse(2) async present(a[0:n * n], b[0:n], m[0:n])
#pragma omp parallel for
        for (int i = t + 1; i < n; i++)
#pragma omp simd
            for (int j = t; j < n; j++) {
                a[i * n + j] -= m[i] * a[t * n + j];
                if (j == t)
                    b[i] -= m[i] * b[t];
            }
    }
#pragma acc wait
}
#elif SPELLING == 3
static void Fan1(int Size, float *m, float *a, int t)
{
#pragma acc parallel loop gang vector present(m[0:Size], a[0:Size * Size])
    for (int i = 0; i < Size - 1 - t; i++)
        m[i + t + 1] = a[Size * (i + t + 1) + t] / a[Size * t + t];
}
static void Fan2(int Size, float *m, float *a, float *b, int t)
{
#pragma acc parallel loop gang vector collapse(2) present(m[0:Size], a[0:Size * Size], b[0:Size])
    for (int xidx = 0; xidx < Size - 1 - t; xidx++)
        for (int yidx = 0; yidx < Size - t; yidx++) {
            a[Size * (xidx + 1 + t) + (yidx + t)] -= m[xidx + 1 + t] * a[Size * t + (yidx + t)];
            if (yidx == 0)
                b[xidx + 1 + t] -= m[xidx + 1 + t] * b[t];
        }
}
static void eliminate(int n, const float *in, float *a, float *b, float *m)
{
#pragma acc parallel loop present(in[0:n * n], a[0:n * n])
    for (int k = 0; k < n * n; k++)
        a[k] = in[k];
#pragma acc parallel loop present(b[0:n])
    for (int k = 0; k < n; k++)
        b[k] = 1.0f;
    for (int t = 0; t < n - 1; t++) {
        Fan1(n, m, a, t);
        Fan2(n, m, a, b, t);
    }
}
#elif SPELLING == 4
static void eliminate(long n, const float *pin, float *pa, float *b, float *m)
{
    const float(*in)[n] = (const float(*)[n])pin;
    float(*A)[n] = (float(*)[n])pa;
#pragma acc data present(in[0:n], A[0:n], b[0:n], m[0:n])
    {
#pragma acc kernels async(1)
        for (long i = 0; i < n; i++) {
            b[i] = 1;
            for (long j = 0; j < n; j++)
                A[i][j] = in[i][j];
        }
        for (long k = 0; k < n - 1; k++) {
#pragma acc parallel loop async(1)
            for (long i = k + 1; i < n; i++)
                m[i] = A[i][k] / A[k][k];
#pragma acc parallel loop gang async(1)
            for (long i = k + 1; i < n; i++) {
                b[i] = b[i] - m[i] * b[k];
#pragma acc loop vector
                for (long j = k; j < n; j++)
                    A[i][j] = A[i][j] - m[i] * A[k][j];
            }
        }
#pragma acc wait(1)
    }
}
#else
static void eliminate(unsigned n, float *pin, float *pa, float *b, float *m)
{
    float(*in)[n] = (float(*)[n])pin, (*a)[n] = (float(*)[n])pa;
#pragma acc data present(in[0:n][0:n], a[0:n][0:n], b[0:n], m[0:n])
    {
#pragma acc kernels async(1)
        {
#pragma acc loop independent collapse(2)
#pragma omp parallel for
            for (unsigned i = 0; i < n; i++)
#pragma omp simd
                for (unsigned j = 0; j < n; j++)
                    a[i][j] = in[i][j];
#pragma acc loop independent
#pragma omp parallel for simd
            for (unsigned i = 0; i < n; i++)
                b[i] = 1;
        }
        for (unsigned t = 0; t + 1 < n; t++) {
#pragma acc kernels loop independent async(1)
#pragma omp parallel for simd
            for (unsigned i = t + 1; i < n; i++)
                m[i] = a[i][t] / a[t][t];
#pragma acc parallel loop gang async(1)
#pragma omp parallel for
            for (unsigned i = t + 1; i < n; i++) {
#pragma acc loop vector
#pragma omp simd
                for (unsigned j = t; j < n; j++)
                    a[i][j] = a[i][j] - m[i] * a[t][j];
                b[i] = b[i] - m[i] * b[t];
            }
        }
#pragma acc wait(1)
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    float *in = NEW(float, all), *a = NEW(float, all), *b = NEW(float, n), *m = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            in[i * n + j] = i == j ? 2 : 1.0f / (1 + abs(i - j));
#pragma acc enter data copyin(in[0:all]) create(a[0:all], b[0:n], m[0:n])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        eliminate(n, in, a, b, m);
#pragma acc update self(a[0:all], b[0:n])
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            sum += fabs(a[i * n + j]) + fabs(b[i]);
    report("gaussian", w.best, sum);
    return 0;
}
