// Data that is mapped to itself: devices with memory of their own are left out, and the host does the work.
// cflags: -fopenmp
// expect-output: map_self.expect
// launches: 0
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int x = 1, list[8], *at = NULL, *where = NULL;
    for (int i = 0; i < 8; i++)
        list[i] = i;
#pragma omp target map(self, to: x) map(from: at)
    at = &x;
#pragma omp target teams distribute parallel for map(self: list) map(from: where)
    for (int i = 0; i < 8; i++) {
        list[i] += x;
        if (i == 3)
            where = &list[i];
    }
    printf("%d %d %d\n", at == &x, where == &list[3], list[7]);
    return 0;
}
