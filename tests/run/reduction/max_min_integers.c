// max and min on every integer type, with starts inside and outside the range of the values.
// launches: 16
#include <stdio.h>

#define N 777
#define EXTREMES(type, name, low, high)                                    \
    static void name(void)                                                 \
    {                                                                      \
        type a[N], mx = low, mn = high;                                    \
        for (int i = 0; i < N; i++)                                        \
            a[i] = (type)(i * 7919 % 251 - 120);                           \
        _Pragma("acc parallel loop copyin(a) reduction(max:mx)")           \
        for (int i = 0; i < N; i++)                                        \
            mx = a[i] > mx ? a[i] : mx;                                    \
        _Pragma("acc parallel loop copyin(a) reduction(min:mn)")           \
        for (int i = 0; i < N; i++)                                        \
            if (a[i] < mn)                                                 \
                mn = a[i];                                                 \
        printf("%s %lld %lld\n", #name, (long long)mx, (long long)mn);     \
    }

EXTREMES(signed char, sc, -128, 127)
EXTREMES(unsigned char, uc, 0, 200)
EXTREMES(short, s, 1000, -1000)
EXTREMES(unsigned short, us, 0, 65535)
EXTREMES(int, i, -2147483647 - 1, 2147483647)
EXTREMES(unsigned, u, 0, 4294967295u)
EXTREMES(long, l, -5, 5)
EXTREMES(unsigned long long, ull, 0, 18446744073709551615ull)

int main(void)
{
    sc();
    uc();
    s();
    us();
    i();
    u();
    l();
    ull();
    return 0;
}
