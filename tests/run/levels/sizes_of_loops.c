// Each loop in kernels says by itself how many gangs, workers and lanes run it (2.9.2 to 2.9.4), also by expressions that are
// evaluated where the construct stands, and for some devices only. __builtin_goacc_parlevel_size tells.
#include <stdio.h>

#ifdef _OPENACC
#define GANGS(asked) __builtin_goacc_parlevel_size(0)
#else
#define GANGS(asked) (asked)
#endif

struct shape { unsigned char gangs; long lanes; };

int main(void)
{
    static int a[64], b[64], c[64], d[64];
    struct shape shape = {3, 64};
    int n = 5, seen[5] = {0};
    enum { SEVEN = 7 };
#pragma acc kernels copy(a, b, c, d, seen) copyin(shape)
    {
#pragma acc loop gang(n) independent
        for (int i = 0; i < 64; i++) {
            a[i] = i;
            if (i == 0)
                seen[0] = GANGS(n);
        }
#pragma acc loop gang(num: shape.gangs) worker(2) independent
        for (int i = 0; i < 64; i++) {
            b[i] = a[i] + 1;
            if (i == 0)
                seen[1] = GANGS(shape.gangs);
        }
#pragma acc loop gang(SEVEN) vector(length: n * 32u) independent
        for (int i = 0; i < 64; i++) {
            c[i] = b[i] + 1;
            if (i == 0)
                seen[2] = GANGS(SEVEN);
        }
#pragma acc loop gang(100) independent device_type(nvidia, sim, host, opencl) gang(4)
        for (int i = 0; i < 64; i++) {
            d[i] = c[i] + 1;
            if (i == 0)
                seen[3] = GANGS(4);
        }
    }
    // The number stands for the first iterations of an inner loop, too; that of a variable of the region has no effect.
#pragma acc kernels copy(a, d)
    {
        int inside = 2;
#pragma acc loop gang(sizeof(long) > 4 ? 6 : 6) independent
        for (int i = 0; i < 8; i++)
#pragma acc loop vector(inside + 30) independent
            for (int j = 0; j < 8; j++)
                a[8 * i + j] += d[8 * i + j];
    }
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += a[i] * (i + 1) + b[i] - c[i] + d[i];
    printf("%d: %d %d %d %d\n", sum, seen[0], seen[1], seen[2], seen[3]);
    return 0;
}
