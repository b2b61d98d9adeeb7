// Every algorithm, with every operator of integers of 32 and 64 bits.
// option-sets: algorithms.options
// launches: 18
// timeout: 60
#include <complex.h>
#include <stdio.h>

#define WORKERS 4
#define LANES 32

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T int
#define NAME int
#define KIND 3
#include "algorithms.part.c"
#define T unsigned
#define NAME unsigned
#define KIND 3
#include "algorithms.part.c"
#define T long
#define NAME long
#define KIND 3
#include "algorithms.part.c"
#define T unsigned long
#define NAME ulong
#define KIND 3
#include "algorithms.part.c"
#define T long long
#define NAME llong
#define KIND 3
#include "algorithms.part.c"
#define T unsigned long long
#define NAME ullong
#define KIND 3
#include "algorithms.part.c"

int main(void)
{
    test_int("int", 45);
    test_unsigned("unsigned", 45);
    test_long("long", 45);
    test_ulong("unsigned long", 45);
    test_llong("long long", 45);
    test_ullong("unsigned long long", 45);
    return 0;
}
