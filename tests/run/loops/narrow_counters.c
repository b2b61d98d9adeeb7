// Counters of 8 and 16 bits with and without sign, upwards and downwards, in steps of one and more, in order and side by side.
#include <stdio.h>

enum { N = 8 };

#define BODY(k) a[i] = (a[i] * 3u + (unsigned)(k) + 1) % 1000003u

int main(void)
{
    unsigned a[N] = {0}, b[300] = {0};
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop seq
        for (unsigned char k = 5; k >= 2; k -= 1)
            BODY(k);
#pragma acc loop seq
        for (unsigned char k = 255; k > 250; k--)
            BODY(k);
#pragma acc loop seq
        for (unsigned char k = 0; k < 150; k += 100)
            BODY(k);
#pragma acc loop seq
        for (unsigned char k = 250; k > 80; k -= 90)
            BODY(k);
#pragma acc loop seq
        for (signed char k = 5; k > -6; k -= 2)
            BODY(k);
#pragma acc loop seq
        for (signed char k = -120; k < 50; k += 100)
            BODY(k);
#pragma acc loop seq
        for (unsigned short k = 65535; k >= 65000; k -= 100)
            BODY(k);
#pragma acc loop seq
        for (unsigned short k = 3; k < 30000; k += 20000)
            BODY(k);
#pragma acc loop seq
        for (short k = 30000; k > -30000; k -= 20000)
            BODY(k);
        for (unsigned char k = 7; k >= 2; k -= 1)
            BODY(k);
        for (unsigned char k = 0; k < 120; k += 120)
            BODY(k);
        unsigned short left = 5;
        while (left-- > 1)
            BODY(left);
    }
    for (int i = 0; i < N; i++)
        printf("%u ", a[i]);
#pragma acc parallel loop copy(b)
    for (unsigned char k = 255; k >= 2; k -= 1)
        b[k] += k;
#pragma acc parallel loop copy(b)
    for (unsigned char k = 0; k < 120; k += 120)
        b[k] += 1000;
#pragma acc parallel loop copy(b)
    for (unsigned char k = 250; k > 80; k -= 90)
        b[k] += 2000;
#pragma acc parallel loop copy(b)
    for (signed char k = 100; k > -100; k -= 70)
        b[k + 100] += 5000;
#pragma acc kernels copy(b)
    for (unsigned char k = 200; k > 100; k -= 3)
        b[k] += 7;
    for (int k = 0; k < 300; k++)
        printf("%u ", b[k]);
    printf("\n");
    return 0;
}
