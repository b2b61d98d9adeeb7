// Three loops go along each row, which is loaded once: 16 rows of 1000 elements are 64000 bytes, and as many are stored once.
// finds: nothing
// counters: loaded == 64000, stored == 64000, load-eff >= 0.97, store-eff >= 0.97, conflicts == 0
#include <math.h>
#include <stdio.h>

enum { ROWS = 16, N = 1000 };
static float x[ROWS * N], y[ROWS * N];

static void softmax(int rows, size_t n, const float *from, float *to)
{
#pragma acc parallel loop gang copyin(from[0:rows * n]) copyout(to[0:rows * n])
    for (int i = 0; i < rows; i++) {
        const float *a = from + i * n;
        float most = -1e30f, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (size_t j = 0; j < n; j++)
            most = fmaxf(most, a[j]);
#pragma acc loop vector reduction(+:sum)
        for (size_t j = 0; j < n; j++)
            sum += expf(from[n * i + j] - most);
#pragma acc loop vector
        for (size_t j = 0; j < n; j++)
            to[i * n + j] = expf(a[j] - most) / sum;
    }
}

int main(void)
{
    double sum = 0;
    for (int k = 0; k < ROWS * N; k++)
        x[k] = k % 17 * 0.25f;
    softmax(ROWS, N, x, y);
    for (int k = 0; k < ROWS * N; k++)
        sum += y[k];
    printf("%.3f\n", sum);
    return 0;
}
