// Four workers in a warp.
// option-sets: algorithms.options
// launches: 6
// timeout: 60
#include <complex.h>
#include <stdio.h>

#define WORKERS 8
#define LANES 8

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T int
#define NAME int
#define KIND 3
#include "algorithms.part.c"
#define T double _Complex
#define NAME dcomplex
#define KIND 1
#include "algorithms.part.c"

int main(void)
{
    test_int("int", 45);
    test_dcomplex("double _Complex", 45);
    return 0;
}
