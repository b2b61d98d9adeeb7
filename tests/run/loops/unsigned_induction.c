// Unsigned, size_t and unsigned char induction variables, up to the limits of their types.
// launches: 4
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    int a[256] = {0};
    unsigned from = 4294967040u;
#pragma acc parallel loop copy(a)
    for (unsigned i = from; i < 4294967295u; i++)
        a[i - from] += 1;
#pragma acc parallel loop copy(a)
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i += 2)
        a[i] += 10;
#pragma acc parallel loop copy(a)
    for (unsigned char c = 5; c < 250; c++)
        a[c] += 100;
#pragma acc parallel loop copy(a)
    for (unsigned i = 255; i > 100; i--)
        a[i] += 1000;
    for (int i = 0; i < 256; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
