// acc_malloc gives null where there is not as much memory.
// launches: 0
// expect-output: malloc_too_much.expect
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    printf("%d %d %d\n", !acc_malloc(SIZE_MAX), !acc_malloc(SIZE_MAX / 2), !acc_malloc((size_t)1 << 60));
    void *some = acc_malloc(100);
    printf("%d\n", some != 0);
    acc_free(some);
    return 0;
}
