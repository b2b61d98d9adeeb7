// + on every integer type; narrow ones wrap in their own width.
// launches: 10
#include <stdio.h>

#define N 1000
#define SUM(type, name, start)                             \
    static void name(void)                                 \
    {                                                      \
        type s = start;                                    \
        _Pragma("acc parallel loop reduction(+:s)")        \
        for (int i = 0; i < N; i++)                        \
            s += (type)(i % 5);                            \
        printf("%s %lld\n", #name, (long long)s);          \
    }

SUM(char, plain_char, 1)
SUM(signed char, signed_char, -3)
SUM(unsigned char, unsigned_char, 200)
SUM(short, short_int, -30000)
SUM(unsigned short, unsigned_short, 65000)
SUM(int, int_type, -7)
SUM(unsigned, unsigned_int, 4294967290u)
SUM(long, long_int, 1L << 40)
SUM(long long, long_long, -5)
SUM(unsigned long long, unsigned_long_long, 18446744073709551610ull)

int main(void)
{
    plain_char();
    signed_char();
    unsigned_char();
    short_int();
    unsigned_short();
    int_type();
    unsigned_int();
    long_int();
    long_long();
    unsigned_long_long();
    return 0;
}
