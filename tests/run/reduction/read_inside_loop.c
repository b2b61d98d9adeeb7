// Within the loop the variable holds the private partial value: a max kept by comparing with itself.
#include <stdio.h>

int main(void)
{
    unsigned best = 0;
    long n = 0;
#pragma acc parallel loop reduction(max:best) reduction(+:n)
    for (unsigned i = 0; i < 10000; i++) {
        unsigned v = i * 2654435761u >> 16;
        n += 1;
        if (v <= best)
            continue;
        best = v;
    }
    printf("%u %ld\n", best, n);
    return 0;
}
