// Pointers that are counted, and lead to nothing that the region accesses.
// launches: 1
#include <stdio.h>

int main(void) {
    int a[10] = {0}, steps = 0, *p = a, *end = a + 10;
    #pragma acc parallel num_gangs(1) copy(steps)
    {
        while (p != end) {
            p++;
            steps++;
        }
    }
    printf("%d %d\n", steps, a[0]);
    return 0;
}
