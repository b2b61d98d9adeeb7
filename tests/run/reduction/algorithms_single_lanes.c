// Workers of one lane.
// option-sets: algorithms.options
// launches: 3
// timeout: 60
#include <complex.h>
#include <stdio.h>

#define WORKERS 64
#define LANES 1

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T int
#define NAME int
#define KIND 3
#include "algorithms.part.c"

int main(void)
{
    test_int("int", 45);
    return 0;
}
