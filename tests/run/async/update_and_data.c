// Asynchronous enter data, update and exit data in one queue with the compute regions between them.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1000, *a = malloc(4000), *b = malloc(4000);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc enter data copyin(a[0:n]) create(b[0:n]) async(5)
#pragma acc parallel loop present(a[0:n], b[0:n]) async(5)
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
#pragma acc update self(b[0:n]) async(5)
#pragma acc wait(5)
    int first = b[999];
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma acc update device(a[0:n]) async(5)
#pragma acc parallel loop present(a[0:n], b[0:n]) async(5)
    for (int i = 0; i < n; i++)
        b[i] += a[i];
#pragma acc exit data delete(a[0:n]) copyout(b[0:n]) async(5)
#pragma acc wait(5)
    printf("%d %d %d\n", first, b[0], b[999]);
    free(a);
    free(b);
    return 0;
}
