// Integers as pointers: those without a sign are not extended by one; ranges of labels across the largest number with a sign; functions named as those of <math.h> begin.
// cflags: -w
#include <stdint.h>
#include <stdio.h>

static long long llmax(long long a, long long b) { return a > b ? a : b; }
static long long ll_power(long long b, int e)
{
    long long r = 1;
    while (e-- > 0) r *= b;
    return r;
}

int main(void)
{
    void *p[12];
    unsigned u = 0x80000001u;
    int m = -5;
    unsigned char c = 200;
    unsigned short h = 65000;
    _Bool t = 1;
    unsigned long r[8];
#pragma acc parallel copyout(p, r) num_gangs(1)
    {
        p[0] = (void *)u;
        p[1] = (void *)c;
        p[2] = (void *)0xefefefefu;
        p[3] = (void *)(uintptr_t)u;
        p[4] = (void *)m;
        p[5] = (void *)h;
        p[6] = (void *)(unsigned short)m;
        p[7] = (void *)0x80000000;
        p[8] = (void *)-1;
        p[9] = (void *)(u + 1);
        p[10] = (void *)(long)m;
        p[11] = (void *)t;
        char *q = (char *)r;
        r[0] = (unsigned long)(void *)u;
        r[1] = (int *)(unsigned long)(4 * u) - (int *)0;
        r[2] = (char *)u > (char *)0x7fffffff;
        r[3] = (unsigned)(uintptr_t)p[3];
        r[4] = (q + c) - q;
        r[5] = &q[h] - q;
        r[6] = &q[-m] - q;
        r[7] = p[2] == (void *)0xefefefefu;
    }
    for (int i = 0; i < 12; i++) printf("%lx %lx\n", (unsigned long)p[i], i < 8 ? r[i] : 0);

    int out[30] = {0};
    unsigned long long wide[10] = {0, 1000000000000000000ULL, 0x7fffffffffffffffULL, 0x8000000000000000ULL, 9999999999999999999ULL, ~0ULL, 5, 1ULL << 62, 10000000000000000000ULL, 0x8000000000000001ULL};
    unsigned narrow[6] = {0, 0x7fffffff, 0x80000000, 0x80000005, ~0u, 7};
    unsigned char bytes[6] = {0, 127, 128, 200, 201, 255};
#pragma acc parallel loop copyin(wide) copy(out)
    for (int i = 0; i < 10; i++)
        switch (wide[i]) {
        case 1000000000000000000ULL ... 9999999999999999999ULL: out[i] = 1; break;
        case ~0ULL: out[i] = 2; break;
        case 0 ... 4: out[i] = 4; break;
        default: out[i] = 3;
        }
#pragma acc parallel loop copyin(narrow, bytes) copy(out)
    for (int i = 0; i < 6; i++) {
        switch (narrow[i]) {
        case 0x7fffff00 ... 0x80000004u: out[i + 10] = 1; break;
        case 0x80000006 ... ~0u: out[i + 10] = 2; break;
        case 0x80000005: out[i + 10] = 5; break;
        default: out[i + 10] = 3;
        }
        switch (bytes[i]) {
        case 100 ... 200: out[i + 20] = 1; break;
        case 201 ... 255: out[i + 20] = 2; break;
        default: out[i + 20] = 3;
        }
    }
    for (int i = 0; i < 30; i++) printf("%d ", out[i]);
    printf("\n");

    long long largest = 0;
#pragma acc parallel loop reduction(max: largest)
    for (int i = 0; i < 100; i++) largest = llmax(largest, ll_power(i, 3) % 1009);
    printf("%lld\n", largest);
    return 0;
}
