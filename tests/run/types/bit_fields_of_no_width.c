// Bit-fields without width, which end a unit and have no bits: what comes behind them, and how large structs are.
// launches: 2
#include <stdio.h>
#include <string.h>

#define N 24

typedef struct {
    unsigned low : 4, : 0, high : 7;
    _Bool flag : 1;
} apart;

typedef struct {
    char tag;
    unsigned a : 3;
    unsigned char : 0;
    unsigned b : 5;
    unsigned long long : 0;
    short tail;
    union {
        struct {
            int x : 9;
            int : 0;
            int y : 20;
        };
        long both;
    };
} mixed;

int main(void)
{
    apart s[N];
    mixed m[N];
    memset(s, 0, sizeof s);
    memset(m, 0, sizeof m);
#pragma acc parallel loop copy(s)
    for (int i = 0; i < N; i++) {
        s[i].low = i;
        s[i].high = i * 5;
        s[i].flag = i % 3;
        apart copy = s[i];
        copy.low += 3;
        if (i % 2)
            s[i] = copy;
    }
#pragma acc parallel loop copy(m)
    for (int i = 0; i < N; i++) {
        m[i].tag = (char)('a' + i);
        m[i].a = i;
        m[i].b = i * 3;
        m[i].tail = (short)-i;
        m[i].x = -i;
        m[i].y = i * 1000 + m[i].x;
    }
    unsigned long sum = sizeof(apart) * 100 + sizeof(mixed);
    for (size_t k = 0; k < sizeof s; k++)
        sum = sum * 31 + ((unsigned char *)s)[k];
    for (int i = 0; i < N; i++) {
        sum = sum * 31 + m[i].tag + m[i].a + m[i].b * 2 + m[i].tail + m[i].x * 3 + m[i].y * 7;
        sum += (unsigned long)m[i].both >> 9;
    }
    printf("%lu %d %d %d\n", sum, s[5].high, m[7].b, m[7].y);
    return 0;
}
