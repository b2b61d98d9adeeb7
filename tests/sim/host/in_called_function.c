// A function of the host reads what a kernel has changed: only the first half was brought back.
// finds: stale: read of 4 bytes
// finds: of 'a[0:n]'
// finds: in function norm
// cflags: -g -fsanitize=thread

#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) float norm(const float *v, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += v[i] * v[i]; // found here
    return sum;
}

int main(void)
{
    int n = 1000;
    float *a = malloc(n * sizeof *a);

    for (int i = 0; i < n; i++)
        a[i] = 1;

#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 3;
#pragma acc update self(a[0:n/2])
    printf("%g\n", norm(a, n));
#pragma acc exit data delete(a[0:n])
    free(a);
    return 0;
}
