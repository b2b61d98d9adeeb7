// static inline functions from a header, with their own loops and early returns.
#include "inline_header.h"
#include <stdio.h>

int main(void)
{
    int p[100];
    unsigned g[100];
#pragma acc parallel loop copyout(p, g)
    for (int i = 0; i < 100; i++) {
        p[i] = is_prime(i);
        g[i] = gcd((unsigned)i * 6, 84);
    }
    for (int i = 0; i < 100; i++)
        printf("%d:%u ", p[i], g[i]);
    printf("\n");
    return 0;
}
