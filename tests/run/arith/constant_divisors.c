// Quotients and remainders by constants: positive, negative and extreme ones, powers of two and their neighbours, for integers of all
// sizes, near multiples of the divisor and at the ends of the type.
// launches: 8
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 400 };

#define MIX(h, x) (h = (h ^ (uint64_t)(x)) * 0x9e3779b97f4a7c15u, h ^= h >> 29)
#define BOTH(x, d) (MIX(h, (x) / (d)), MIX(h, (x) % (d)))
#define SMALL(x) \
    (BOTH(x, 1), BOTH(x, 2), BOTH(x, 3), BOTH(x, 4), BOTH(x, 5), BOTH(x, 6), BOTH(x, 7), BOTH(x, 9), BOTH(x, 10), BOTH(x, 11), \
     BOTH(x, 12), BOTH(x, 25), BOTH(x, 32), BOTH(x, 60), BOTH(x, 63), BOTH(x, 64), BOTH(x, 100), BOTH(x, 125), BOTH(x, 127))
#define NEGATIVE(x) (BOTH(x, -2), BOTH(x, -3), BOTH(x, -5), BOTH(x, -7), BOTH(x, -8), BOTH(x, -10), BOTH(x, -100), BOTH(x, -127))
#define WIDE(x) \
    (BOTH(x, 641), BOTH(x, 1000), BOTH(x, 1023), BOTH(x, 1024), BOTH(x, 7919), BOTH(x, 65537), BOTH(x, 16777216), BOTH(x, 1000000007), \
     BOTH(x, 1 << 30), BOTH(x, INT_MAX))

#define ACTUAL(type) type value = (type)(numbers[i] >> 8 * (sizeof numbers[i] - sizeof(type)))

#define CHECK(name, type, ...) \
    static void name(const uint64_t *numbers, uint64_t *out) \
    { \
        _Pragma("acc parallel loop copyin(numbers[0:N]) copyout(out[0:N])") \
        for (int i = 0; i < N; i++) { \
            ACTUAL(type); \
            uint64_t h = 1; \
            __VA_ARGS__; \
            out[i] = h; \
        } \
        uint64_t all = 0; \
        for (int i = 0; i < N; i++) \
            MIX(all, out[i]); \
        printf("%-5s %016llx\n", #name, (unsigned long long)all); \
    }

CHECK(s8, int8_t, SMALL(value), NEGATIVE(value))
CHECK(u8, uint8_t, SMALL(value), BOTH(value, 128), BOTH(value, 255))
CHECK(s16, int16_t, SMALL(value), NEGATIVE(value), BOTH(value, 32767), BOTH(value, 1000))
CHECK(u16, uint16_t, SMALL(value), BOTH(value, 65535), BOTH(value, 32768), BOTH(value, 641))
CHECK(s32, int32_t, SMALL(value), NEGATIVE(value), WIDE(value), BOTH(value, INT_MIN), BOTH(value, -INT_MAX), BOTH(value, -65536))
CHECK(u32, uint32_t, SMALL(value), WIDE(value), BOTH(value, 0x80000000u), BOTH(value, 0x80000001u), BOTH(value, UINT_MAX), BOTH(value, 0xfffffffeu))
CHECK(s64, int64_t, SMALL(value), NEGATIVE(value), WIDE(value), BOTH(value, INT64_MIN), BOTH(value, INT64_MAX), BOTH(value, 4294967297),
      BOTH(value, -1000000000000), BOTH(value, INT64_C(1) << 62))
CHECK(u64, uint64_t, SMALL(value), WIDE(value), BOTH(value, UINT64_MAX), BOTH(value, UINT64_C(1) << 63), BOTH(value, 0x8000000000000001u),
      BOTH(value, 274177), BOTH(value, 18446744073709551557u), BOTH(value, 10000000000u))

int main(void)
{
    static uint64_t numbers[N], out[N];
    static const uint64_t divisors[] = {3, 5, 7, 10, 100, 641, 1000, 65537, 1000000007, INT_MAX};
    uint64_t state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t edge = (uint64_t)(i % 5 - 2), d = divisors[i / 5 % 10];
        switch (i % 4) {
        case 0: numbers[i] = state; break;
        case 1: numbers[i] = edge << 8 * (i / 4 % 8); break;
        case 2: numbers[i] = UINT64_MAX / d * d + edge; break;
        default: numbers[i] = (INT64_MAX / d * d + edge) << (i / 4 % 40); break;
        }
    }
    s8(numbers, out);
    u8(numbers, out);
    s16(numbers, out);
    u16(numbers, out);
    s32(numbers, out);
    u32(numbers, out);
    s64(numbers, out);
    u64(numbers, out);
    return 0;
}
