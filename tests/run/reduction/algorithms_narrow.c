// Every algorithm, with every operator of bool and of integers narrower than a word.
// option-sets: algorithms.options
// launches: 15
// timeout: 60
#include <complex.h>
#include <stdio.h>

#define WORKERS 4
#define LANES 32

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T signed char
#define NAME schar
#define KIND 3
#include "algorithms.part.c"
#define T unsigned char
#define NAME uchar
#define KIND 3
#include "algorithms.part.c"
#define T short
#define NAME short
#define KIND 3
#include "algorithms.part.c"
#define T unsigned short
#define NAME ushort
#define KIND 3
#include "algorithms.part.c"
#define T _Bool
#define NAME bool
#define KIND 3
#include "algorithms.part.c"

int main(void)
{
    test_schar("signed char", 45);
    test_uchar("unsigned char", 45);
    test_short("short", 45);
    test_ushort("unsigned short", 45);
    test_bool("_Bool", 45);
    return 0;
}
