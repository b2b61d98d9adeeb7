// Sums of 2^10, 2^12, … 2^20 doubles and ints: here the launch and the result's way to the host count.
#include "common.h"

#define DO(words) _Pragma(#words)
// A lap takes microseconds: many of them find the shortest.
#define LAPS 40

#define SHORT_SUMS(type, name)                                                          \
    static type sum_##name(int n, const type *a)                                        \
    {                                                                                   \
        type s = 0;                                                                     \
        DO(acc parallel loop reduction(+:s) present(a[0:n]))                            \
        for (int i = 0; i < n; i++)                                                     \
            s += a[i];                                                                  \
        return s;                                                                       \
    }                                                                                   \
    static void rows_##name(int repeats)                                                \
    {                                                                                   \
        for (int power = 10; power <= 20; power += 2) {                                 \
            int n = 1 << power;                                                         \
            char label[32];                                                             \
            type *a = get((size_t)n * sizeof(type)), s = 0;                             \
            DO(acc enter data create(a[0:n]))                                           \
            DO(acc parallel loop present(a[0:n]))                                       \
            for (int i = 0; i < n; i++)                                                 \
                a[i] = REDUCED(i, n);                                                   \
            struct watch w = watch(LAPS * repeats);                                     \
            while (lap(&w))                                                             \
                s = sum_##name(n, a);                                                   \
            snprintf(label, sizeof label, "sum_" #name "_%d", power);                   \
            row(label, n, w, (double)n * sizeof(type), 'B', (long long)s);              \
            DO(acc exit data delete(a[0:n]))                                            \
            free(a);                                                                    \
        }                                                                               \
    }

SHORT_SUMS(double, f64)
SHORT_SUMS(int, i32)

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    rows_f64(args.repeats);
    rows_i32(args.repeats);
    return 0;
}
