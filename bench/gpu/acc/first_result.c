// The first result of a process: one small loop, data to the device and back. The script that starts the program takes
// the time from the start to the first line of output; `seconds` here counts from main().
#include "common.h"

#define N 1024

int main(void)
{
    double begin = now(), a[N], b[N];
    struct watch w = watch(1);
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
    w.best = now() - begin;
    row("first_result", N, w, 1, 'L', (long long)b[N - 1]);
    return 0;
}
