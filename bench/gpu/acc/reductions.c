// Sum, smallest and largest element of int, float and double, 2^27.
#include "common.h"

#define DO(words) _Pragma(#words)

// What one type needs: filling the array, the three reductions and their rows.
#define REDUCTIONS(type, name, least, greatest)                                                         \
    static type sum_##name(int n, const type *a)                                                       \
    {                                                                                                  \
        type s = 0;                                                                                    \
        DO(acc parallel loop reduction(+:s) present(a[0:n]))                                           \
        for (int i = 0; i < n; i++)                                                                    \
            s += a[i];                                                                                 \
        return s;                                                                                      \
    }                                                                                                  \
    static type min_##name(int n, const type *a)                                                       \
    {                                                                                                  \
        type s = greatest;                                                                             \
        DO(acc parallel loop reduction(min:s) present(a[0:n]))                                         \
        for (int i = 0; i < n; i++)                                                                    \
            s = a[i] < s ? a[i] : s;                                                                   \
        return s;                                                                                      \
    }                                                                                                  \
    static type max_##name(int n, const type *a)                                                       \
    {                                                                                                  \
        type s = least;                                                                                \
        DO(acc parallel loop reduction(max:s) present(a[0:n]))                                         \
        for (int i = 0; i < n; i++)                                                                    \
            s = a[i] > s ? a[i] : s;                                                                   \
        return s;                                                                                      \
    }                                                                                                  \
    static void rows_##name(int n, int repeats)                                                        \
    {                                                                                                  \
        double bytes = (double)n * sizeof(type);                                                       \
        type *a = get((size_t)n * sizeof(type)), s = 0;                                                \
        DO(acc enter data create(a[0:n]))                                                              \
        DO(acc parallel loop present(a[0:n]))                                                          \
        for (int i = 0; i < n; i++)                                                                    \
            a[i] = REDUCED(i, n);                                                                      \
        struct watch w = watch(repeats);                                                               \
        while (lap(&w))                                                                                \
            s = sum_##name(n, a);                                                                      \
        row("sum_" #name, n, w, bytes, 'B', (long long)s);                                             \
        w = watch(repeats);                                                                            \
        while (lap(&w))                                                                                \
            s = min_##name(n, a);                                                                      \
        row("min_" #name, n, w, bytes, 'B', (long long)s);                                             \
        w = watch(repeats);                                                                            \
        while (lap(&w))                                                                                \
            s = max_##name(n, a);                                                                      \
        row("max_" #name, n, w, bytes, 'B', (long long)s);                                             \
        DO(acc exit data delete(a[0:n]))                                                               \
        free(a);                                                                                       \
    }

REDUCTIONS(int, i32, -2000000000, 2000000000)
REDUCTIONS(float, f32, -1e30f, 1e30f)
REDUCTIONS(double, f64, -1e300, 1e300)

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    rows_i32(n, args.repeats);
    rows_f32(n, args.repeats);
    rows_f64(n, args.repeats);
    return 0;
}
