// `scope` with copies of variables, which older host compilers do not know, in regions and in their fallback on the host.
// cflags: -fopenmp
// expect-output: scope_copies.expect
#include <stdio.h>

static int copies(int on_device)
{
    int errors = 0, x = 1, y = 10, sum = 0;
    #pragma omp target parallel num_threads(4) map(tofrom: errors, sum) if(target: on_device)
    {
        int own = 3;
        #pragma omp scope firstprivate(x, y)
        {
            x += own;
            y += x;
            if (x != 4 || y != 14) {
                #pragma omp atomic
                errors += 1;
            }
            own = y;
        }
        if (own != 14) {
            #pragma omp atomic
            errors += 1;
        }
        #pragma omp scope private(y)
        {
            y = own;
            own = y + 1;
        }
        #pragma omp single
        sum = own;
    }
    return errors + (x != 1) + (y != 10) + (sum != 15);
}

int main(void)
{
    printf("%d errors\n", copies(1) + copies(0));
    return 0;
}
