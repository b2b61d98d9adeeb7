// What these benchmarks share, in OpenACC (acc/*.c) and CUDA (cuda/*.cu): the clock of ../gpu/bench.h, input data, and
// the line that a program prints:
//
//     row name=convolution seconds=0.000779 sum=1.234567e+03
//
// acc/*.c have `#pragma omp` lines as well, for cpu.py: loops over gangs are `parallel for`, those over lanes `simd`. Arrays of
// sums are reductions there, as OpenMP has that for arrays.
//
// `seconds` is the shortest lap, with all data on the device. `sum` is over the results; both languages must agree to six
// digits. An OpenACC program is compiled once for each SPELLING: 1 is how the kernel would be written with `int` and
// `restrict`, 2 the same with other types of indices, without `restrict`, with macros, functions or arrays of arrays.
#ifndef KERNELS_H
#define KERNELS_H

#include "../gpu/bench.h"

#ifndef SPELLING
#define SPELLING 1
#endif

#define NEW(type, n) ((type *)malloc(sizeof(type) * (n)))

// Numbers between 0 and 1 that look random.
static inline double number(unsigned i) { return (mix(i) % 65536) / 65536.0; }

#define FILL(array, n, scale)                                                                        \
    for (long fill_ = 0; fill_ < (long)(n); fill_++)                                                  \
    (array)[fill_] = (scale) * number((unsigned)fill_)

#define SUM(total, array, n)                                                                         \
    for (long sum_ = 0; sum_ < (long)(n); sum_++)                                                     \
    (total) += (array)[sum_]

static inline void report(const char *name, double seconds, double sum)
{
    printf("row name=%s seconds=%.9f sum=%.9e\n", name, seconds, sum);
    fflush(stdout);
}

#endif
