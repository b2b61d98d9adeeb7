// Every algorithm, with every operator, of _Float16.
// option-sets: algorithms.options
// needs-clang: 15 (older ones have no _Float16 on x86-64)
// launches: 3
// timeout: 60
#include <stdio.h>

#define WORKERS 4
#define LANES 32

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T _Float16
#define NAME half
#define KIND 2
#include "algorithms.part.c"

int main(void)
{
    test_half("_Float16", 45);
    return 0;
}
