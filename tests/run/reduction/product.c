// * on integers (wrapping unsigned), float, double.
// launches: 5
#include <stdio.h>

int main(void)
{
    int i32 = 3;
    unsigned u32 = 1;
    unsigned long long u64 = 5;
    float f = 1;
    double d = 0.5;
#pragma acc parallel loop reduction(*:i32)
    for (int i = 1; i < 9; i++)
        i32 *= i;
#pragma acc parallel loop reduction(*:u32)
    for (int i = 0; i < 500; i++)
        u32 *= 2u * (unsigned)i + 1;
#pragma acc parallel loop reduction(*:u64)
    for (int i = 0; i < 500; i++)
        u64 *= 6ull * (unsigned)i + 7;
#pragma acc parallel loop reduction(*:f)
    for (int i = 0; i < 100; i++)
        f *= i % 2 ? 2.0f : 0.5f;
#pragma acc parallel loop reduction(*:d)
    for (int i = 0; i < 40; i++)
        d *= i % 4 == 0 ? 8 : 1;
    printf("%d %u %llu %g %.17g\n", i32, u32, u64, f, d);
    return 0;
}
