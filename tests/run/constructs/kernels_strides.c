// Subscripts without sign that go round the end of their type: all iterations are at one place, and in order.
#include <stdio.h>

static unsigned a[64];

static void halves(int n)
{
#pragma acc kernels copy(a)
    for (unsigned long i = 0; i < (unsigned long)n; i += 2) a[i * (1UL << 63)] = a[i * (1UL << 63)] * 3 + (unsigned)i;
}

static void quarters(unsigned n, unsigned long step)
{
#pragma acc kernels copy(a)
    for (unsigned long i = 0; i < n; i += 4) a[5 + i * (1UL << 62)] = a[5 + i * (1UL << 62)] * 5 + (unsigned)(i * step);
}

int main(void)
{
    halves(100);
    quarters(200, 3);
    printf("%u %u %u\n", a[0], a[5], a[1]);
    return 0;
}
