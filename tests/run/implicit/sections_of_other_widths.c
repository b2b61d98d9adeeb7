// Sections that clauses leave out, where bounds have other types than counters, and where they are quotients.
#include <stdio.h>
#include <stdlib.h>

long long most = 100;

#define WITH(name, counter, bound) \
    static void name(bound n, const double *a, double *c) { \
        _Pragma("acc parallel loop") \
        for (counter i = 0; i < n; i++) c[i] += a[i] + a[n - 1 - i]; \
        _Pragma("acc kernels loop independent") \
        for (counter i = 0; i < n / 2; i++) c[i] += 2 * a[i]; \
        _Pragma("acc parallel loop") \
        for (counter i = 1; i < n / 2 - 1; i++) c[i] += a[i] - a[n / 3];  \
        _Pragma("acc serial") \
        { \
            _Pragma("acc loop") \
            for (counter i = 0; i < most; ++i) c[i] += a[i]; \
        } \
    }

WITH(of_int_and_long, int, long)
WITH(of_int_and_size, int, size_t)
WITH(of_int_and_unsigned, int, unsigned)
WITH(of_long_and_int, long, int)
WITH(of_size_and_int, size_t, int)
WITH(of_unsigned_and_long, unsigned, long long)
WITH(of_int_and_char, int, unsigned char)

int main(void) {
    double *a = malloc(100 * sizeof *a), *c = malloc(100 * sizeof *c), sum = 0;
    for (int i = 0; i < 100; i++) {
        a[i] = i % 13;
        c[i] = 1;
    }
    of_int_and_long(100, a, c);
    of_int_and_size(99, a, c);
    of_int_and_unsigned(7, a, c);
    of_long_and_int(1, a, c);
    of_size_and_int(100, a, c);
    of_unsigned_and_long(50, a, c);
    of_int_and_char(60, a, c);
    for (int i = 0; i < 100; i++)
        sum += (i + 1) * c[i];
    printf("%.12g\n", sum);
    free(a);
    free(c);
    return 0;
}
