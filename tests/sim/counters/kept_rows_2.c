// What a loop stores, and the next one stores again before anybody reads it, is stored once.
// finds: nothing
// counters: loaded == 64000, stored == 64000, load-eff >= 0.97, store-eff >= 0.97, conflicts == 0
#include <math.h>
#include <stdio.h>

enum { ROWS = 16, N = 1000 };
static float x[ROWS * N], y[ROWS * N];

int main(void)
{
    double total = 0;
    for (int k = 0; k < ROWS * N; k++)
        x[k] = k % 17 * 0.25f;
#pragma acc parallel loop gang vector_length(128) copyin(x) copyout(y)
    for (unsigned i = 0; i < ROWS; i++) {
        float *from = x + i * N, *to = y + i * N, most = -1e30f, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (unsigned j = 0; j < N; j++)
            if (from[j] > most)
                most = from[j];
#pragma acc loop vector reduction(+:sum)
        for (unsigned j = 0; j < N; j++) {
            to[j] = expf(from[j] - most);
            sum += to[j];
        }
#pragma acc loop vector
        for (unsigned j = 0; j < N; j++)
            to[j] /= sum;
    }
    for (int k = 0; k < ROWS * N; k++)
        total += y[k];
    printf("%.3f\n", total);
    return 0;
}
