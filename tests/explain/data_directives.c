// Directives that launch nothing.
// launches: 0
#include <stdlib.h>

int main(void)
{
    int n = 100;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc enter data copyin(a[0:n]) create(b[0:n])
#pragma acc data present(a[0:n]) copy(b[0:n / 2]) no_create(n)
    {
#pragma acc update self(b[10:20]) device(a[0:n]) async(1)
#pragma acc wait(1)
#pragma acc host_data use_device(a, b)
        {
            (void)a;
        }
    }
#pragma acc exit data delete(a[0:n]) copyout(b[0:n]) finalize
    return 0;
}
