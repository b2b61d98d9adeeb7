// printf in kernels behind OpenCL, in its order with the program's own text: sizes that OpenCL C spells otherwise or does not have,
// constant widths and precisions, values of other types, the leader alone where one thread has effects.
// modes: opencl (where the text is made is printed)
// cflags: -Wno-format
// expect-output: printf_on_opencl.expect
#include <openacc.h>
#include <stdbool.h>
#include <stdio.h>

static void tell(int row, double value)
{
    printf("row %d: %.3f\n", row, value);
}

int main(void)
{
    double x = 0.1, rows[4] = {1, 2.5, -3, 1e10};
    float narrow = 2.5f;
    int k = 300;
    long big = 1L << 40;
    bool yes = true;
    printf("before, on the host: %d\n", acc_on_device(acc_device_host) != 0);
#pragma acc serial copyin(x, rows)
    {
        printf("on the device: %d\n", acc_on_device(acc_device_opencl) != 0);
        printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%#o|%X|%i|%u\n", k, k, k, -k, k, k, k, k, k, -k, 42u);
        printf("%ld|%lld|%zu|%hhd|%hu|%jd|%tx|%qd|%hhx\n", big, (long long)-big, sizeof(int), (signed char)k, 70000, (long)-5, 255L, 7LL, -1);
        printf("%f|%10.3f|%e|%.2E|%g|%G|%a|%.0f|%8.2lf\n", x, x, x, x, x * 1e20, x, 1.0, x, x);
        printf("%s|%c|%%|%10s|%-10s|%.2s|%d\n", "abc", 'x', "abc", "abc", "abc", yes);
        printf("%*d|%-*d|%.*f|%*.*f|\n", 6, k, 6, k, 2, x, 9, 3, x);
        printf("%g \"quoted\\ \t\n", narrow);
        for (int i = 0; i < 4; i++)
            tell(i, rows[i]);
    }
    printf("between\n");
#pragma acc parallel num_gangs(1) vector_length(32)
    {
        printf("once, and then ");
#pragma acc loop vector
        for (int i = 0; i < 64; i++)
            if (i == 40)
                printf("iteration %d\n", i);
    }
    printf("after\n");
    return 0;
}
