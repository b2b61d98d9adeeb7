// Addition and multiplication in every integer width; narrow results wrap when stored.
// launches: 8
#include <stdint.h>
#include <stdio.h>

#define N 300
#define CHECK(type, name)                                              \
    static void name(void)                                             \
    {                                                                  \
        static type a[N];                                              \
        _Pragma("acc parallel loop copyout(a)")                        \
        for (int i = 0; i < N; i++)                                    \
            a[i] = (type)((type)(i * 3) + (type)(i * 5) * (type)(i & 7)); \
        unsigned long long sum = 0;                                    \
        for (int i = 0; i < N; i++)                                    \
            sum = sum * 31 + (unsigned long long)a[i];                 \
        printf("%s %llx\n", #name, sum);                               \
    }

CHECK(int8_t, s8)
CHECK(uint8_t, u8)
CHECK(int16_t, s16)
CHECK(uint16_t, u16)
CHECK(int32_t, s32)
CHECK(uint32_t, u32)
CHECK(int64_t, s64)
CHECK(uint64_t, u64)

int main(void)
{
    s8();
    u8();
    s16();
    u16();
    s32();
    u32();
    s64();
    u64();
    return 0;
}
