// The nests of the header NESTS in three types of index, I, with the type's name behind each function's, and a sum to show of what they do.

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

static void show(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (k % 7 + 1);
    printf("%.17g %.17g\n", sum, x[n - 1]);
}

#define I int
#define SUFFIX int
#include NESTS
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include NESTS
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include NESTS
#undef I
#undef SUFFIX
