// &, | and ^ on int, unsigned, char, short and long.
// launches: 18
#include <stdio.h>

#define N 300
#define BITS(type, name)                                                          \
    static void name(void)                                                        \
    {                                                                             \
        type a = (type)~0, o = 0x10, x = 0x55;                                    \
        _Pragma("acc parallel loop reduction(&:a)")                               \
        for (int i = 0; i < N; i++)                                               \
            a &= (type)~((type)1 << (i % 3));                                     \
        _Pragma("acc parallel loop reduction(|:o)")                               \
        for (int i = 0; i < N; i++)                                               \
            o |= (type)(i % 64 == 5 ? 0x41 : 0);                                  \
        _Pragma("acc parallel loop reduction(^:x)")                               \
        for (int i = 0; i < N; i++)                                               \
            x ^= (type)(i * 2654435761u);                                         \
        printf("%s %lld %lld %lld\n", #name, (long long)a, (long long)o, (long long)x); \
    }

BITS(int, i)
BITS(unsigned, u)
BITS(unsigned char, uc)
BITS(short, s)
BITS(long, l)
BITS(unsigned long long, ull)

int main(void)
{
    i();
    u();
    uc();
    s();
    l();
    ull();
    return 0;
}
