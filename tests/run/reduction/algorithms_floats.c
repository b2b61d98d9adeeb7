// Every algorithm, with every operator of real and complex numbers.
// option-sets: algorithms.options
// launches: 12
// timeout: 60
#include <complex.h>
#include <stdio.h>

#define WORKERS 4
#define LANES 32

/* Small numbers that differ from thread to thread: sums and products are exact in every floating point type. */
#define VALUE(i) ((i) * 7 % 23 + 1)
#define SMALL(i) ((i) % 9 == 4 ? 2 : 1)

#define T float
#define NAME float
#define KIND 2
#include "algorithms.part.c"
#define T double
#define NAME double
#define KIND 2
#include "algorithms.part.c"
#define T float _Complex
#define NAME fcomplex
#define KIND 1
#include "algorithms.part.c"
#define T double _Complex
#define NAME dcomplex
#define KIND 1
#include "algorithms.part.c"

int main(void)
{
    test_float("float", 45);
    test_double("double", 45);
    test_fcomplex("float _Complex", 45);
    test_dcomplex("double _Complex", 45);
    return 0;
}
