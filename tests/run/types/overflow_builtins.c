// __builtin_add_overflow and its kin: in the types of the operands and of the result, whatever these are.
#include <limits.h>
#include <stdio.h>

#define N 40

/* All pairs of the values of one type with those of another, into a third. */
#define CHECK(A, B, R)                                                                                                 \
    {                                                                                                                  \
        static A a[N];                                                                                                 \
        static B b[N];                                                                                                 \
        for (int i = 0; i < N; i++) {                                                                                  \
            unsigned long bits = i < 20 ? (unsigned long)i - 10 : 0x9e3779b97f4a7c15ul * i >> i % 7 * 9;               \
            a[i] = (A)(i < 30 ? bits : bits << 40);                                                                    \
            b[i] = (B)(i % 3 ? bits : ~bits >> 1);                                                                     \
        }                                                                                                              \
        unsigned long sum = 0;                                                                                         \
        int overflows = 0;                                                                                             \
        _Pragma("acc parallel loop collapse(2) reduction(+ : sum, overflows) copyin(a, b)")                            \
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {                                                      \
            R r, s, t;                                                                                                 \
            overflows += __builtin_add_overflow(a[i], b[j], &r);                                                       \
            overflows += 3 * __builtin_sub_overflow(a[i], b[j], &s);                                                   \
            overflows += 7 * __builtin_mul_overflow(a[i], b[j], &t);                                                   \
            sum += (unsigned long)r * 3 + (unsigned long)s * 5 + (unsigned long)t * (i + 1);                           \
        }                                                                                                              \
        printf("%lu %d\n", sum, overflows);                                                                            \
    }

int main(void)
{
    CHECK(int, int, int)
    CHECK(int, int, unsigned char)
    CHECK(unsigned char, signed char, short)
    CHECK(long, unsigned, long)
    CHECK(unsigned long, unsigned long, unsigned long)
    CHECK(unsigned long, unsigned long, long)
    CHECK(long, unsigned long, unsigned long)
    CHECK(unsigned long, long, int)
    CHECK(long, long, unsigned)
    CHECK(_Bool, char, signed char)
    int typed = 0;
    long products = 0;
#pragma acc parallel loop reduction(+ : typed, products)
    for (int i = 0; i < 64; i++) {
        int r;
        unsigned long u;
        long long l;
        typed += __builtin_sadd_overflow(INT_MAX - 20, i, &r);
        products += r;
        typed += __builtin_umull_overflow(1ul << i, 5, &u);
        products += (long)(u >> 3);
        typed += __builtin_ssubll_overflow(LLONG_MIN + 9, i, &l);
        products += (long)(l >> 7);
    }
    printf("%d %ld\n", typed, products);
    return 0;
}
