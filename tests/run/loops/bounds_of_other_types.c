// Bounds that C compares with the loop variable in another type than the variable's: none of the first loops has an iteration, the others have
// some, up to the ends of their types.
// launches: 26
#include <limits.h>
#include <stdio.h>

enum { N = 300 };
static int x[N];

static void show(const char *what)
{
    unsigned sum = 0;
    for (int i = 0; i < N; i++) {
        sum = sum * 3 + (unsigned)x[i];
        x[i] = 0;
    }
    printf("%s %u\n", what, sum);
}

#define LOOP(what, ...)                       \
    _Pragma("acc parallel loop copy(x)")      \
    for (__VA_ARGS__)                         \
        x[(unsigned)(i + 200) % N] += 1;            \
    show(what);

#define INNER(what, ...)                      \
    _Pragma("acc parallel loop gang copy(x)") \
    for (int j = 0; j < 1; j++)               \
        for (__VA_ARGS__)                     \
            x[(unsigned)(i + 200) % N] += 1;        \
    show(what);

int main(void)
{
    volatile long vl = -1, far = -4294967295L, beyond = 4294967301L;
    volatile unsigned vu = 10;
    volatile int minus = -3, much = 300, less = -200, five = 5;
    long l = vl, m = far, b = beyond;
    unsigned u = vu;
    int n = minus, c = much, k = less, s = minus, p = five;

    LOOP("unsigned char < negative int", unsigned char i = 0; i < n; i++)
    LOOP("unsigned char > large int", unsigned char i = 200; i > c; i--)
    LOOP("unsigned char <= negative int", unsigned char i = 0; i <= n; i++)
    LOOP("signed char < smaller int", signed char i = 0; i < k; i++)
    LOOP("unsigned short >= large int", unsigned short i = USHRT_MAX; i >= 70000 + p; i--)
    LOOP("int from below zero < unsigned", int i = s; i < u; i++)
    LOOP("int from below zero <= unsigned", int i = s; i <= u; i++)
    LOOP("int < small long", int i = 0; i < m + 5; i++)
    LOOP("int > large long", int i = 50; i > b; i--)
    LOOP("int > large unsigned", int i = 50; i > 4000000000u + p; i--)
    LOOP("unsigned < negative long", unsigned i = 0; i < l; i++)
    LOOP("unsigned <= negative long", unsigned i = 5; i <= l; i += p)
    LOOP("unsigned > large long", unsigned i = 50; i > b; i--)
    LOOP("negative long on the left", unsigned i = 0; l > i; i++)
    LOOP("sum with a constant", unsigned i = 0; i + 1 < l + 2; i++)
    INNER("inner unsigned char", unsigned char i = 0; i < n; i++)
    INNER("inner unsigned", unsigned i = 0; i < l; i++)

    LOOP("unsigned char < int", unsigned char i = 3; i < p + 20; i++)
    LOOP("unsigned char <= int", unsigned char i = 3; i <= p + 249; i++)
    LOOP("signed char down", signed char i = 100; i > k + 100; i--)
    LOOP("signed char to the end", signed char i = 0; i >= k + 73; i--)
    LOOP("int < unsigned", int i = 0; i < u; i++)
    LOOP("int < long", int i = s; i < l + 20; i++)
    LOOP("int > long", int i = 40; i > l; i -= p)
    LOOP("unsigned <= long", unsigned i = 7; i <= l + 30; i++)
    LOOP("below zero up to a large unsigned", int i = s - 5; i < (unsigned)s; i++)
    return 0;
}
