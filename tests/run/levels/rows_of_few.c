// Rows of a few constant elements, many and few of them, with what gangs and workers have of their own and sums of all.
// launches: 5
#include <stdio.h>

enum { N = 1500, M = 64 };

typedef struct { double x[M]; } sample;

static void rows(int n, const sample *a, const double *w, double *y)
{
    double sum = 0;
#pragma acc parallel loop gang reduction(+ : sum) copyin(a[0:n], w[0:M]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        double z = 0;
#pragma acc loop vector reduction(+ : z)
        for (int j = 0; j < M; j++)
            z += a[i].x[j] * w[j];
        y[i] = z;
        sum += z;
    }
    y[0] = sum;
}

// Few rows: there would not be warps enough.
static void few(const double (*a)[M], double *y)
{
#pragma acc parallel loop gang copyin(a[0:100]) copyout(y[0:100])
    for (int i = 0; i < 100; i++) {
        double z = 0;
#pragma acc loop vector reduction(+ : z)
        for (int j = 0; j < M; j++)
            z += a[i][j];
        y[i] = z;
    }
}

// Several loops over lanes, one behind the other, a row of the result, and code between them.
static void softmax(unsigned n, const float (*restrict x)[40], float (*restrict y)[40], int *most)
{
#pragma acc parallel loop gang copyin(x[0:n]) copyout(y[0:n], most[0:n])
    for (unsigned i = 0; i < n; ++i) {
        float top = -100, sum = 0;
#pragma acc loop vector reduction(max : top)
        for (int j = 0; j < 40; j++)
            top = x[i][j] > top ? x[i][j] : top;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < 40; j++) {
            y[i][j] = x[i][j] - top;
            sum += y[i][j] * y[i][j];
        }
        int where = 0;
        if (sum > 100)
            sum = 100;
#pragma acc loop vector reduction(| : where)
        for (int j = 0; j < 40; j++) {
            y[i][j] *= sum;
            where |= y[i][j] == 0 ? 1 << j % 31 : 0;
        }
        most[i] = where;
    }
}

static long kernels_of(int n, const sample *a)
{
    long all = 0;
#pragma acc kernels loop independent copyin(a[0:n]) reduction(+ : all)
    for (int i = 0; i < n; i++) {
        long row = i;
#pragma acc loop vector reduction(+ : row)
        for (int j = 0; j < 33; j++)
            row += (long)a[i].x[j];
        all += row % 1000;
    }
    return all;
}

// Of whose rows nobody knows how many there are, and lanes leave what they have in an array of the gang.
static void own(long n, const sample *a, double *y)
{
#pragma acc parallel loop gang copyin(a[0:n]) copyout(y[0:n])
    for (long i = 0; i < n; i++) {
        double part[16];
#pragma acc loop vector
        for (int j = 0; j < 16; j++)
            part[j] = a[i].x[j] + a[i].x[16 + j];
        double s = 0;
        for (int j = 0; j < 16; j++)
            s = s / 2 + part[j];
        y[i] = s;
    }
}

static sample a[N];
static double w[M], y[N];
static float x[N][40], z[N][40];
static int most[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            a[i].x[j] = (i + 3 * j) % 17;
        for (int j = 0; j < 40; j++)
            x[i][j] = (i * 7 + j * 5) % 23 / 4.0f;
    }
    for (int j = 0; j < M; j++)
        w[j] = j % 5;
    rows(N, a, w, y);
    double all = 0;
    for (int i = 0; i < N; i++)
        all += y[i] * (i % 7);
    few((const double (*)[M])a, y);
    for (int i = 0; i < 100; i++)
        all += y[i] * (i % 5);
    softmax(N, (const float (*)[40])x, z, most);
    long bits = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 40; j++)
            all += z[i][j] * (j % 3);
        bits += most[i] % 1000;
    }
    own(N, a, y);
    for (int i = 0; i < N; i++)
        all += y[i];
    printf("%.6f %ld %ld\n", all, bits, kernels_of(N, a));
    return 0;
}
