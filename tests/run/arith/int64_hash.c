// 64-bit multiply, rotate and shift chains (FNV and splitmix hashes).
#include <stdint.h>
#include <stdio.h>

#define N 1000

int main(void)
{
    static uint64_t h[N];
#pragma acc parallel loop copyout(h)
    for (int i = 0; i < N; i++) {
        uint64_t z = (uint64_t)i + 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        z = z << 13 | z >> 51;
        for (int k = 0; k < 8; k++)
            z = (z ^ (z >> (8 * k) & 0xff)) * 1099511628211u;
        h[i] = z;
    }
    uint64_t all = 0;
    for (int i = 0; i < N; i++)
        all ^= h[i] * (2u * (unsigned)i + 1);
    printf("%016llx %016llx\n", (unsigned long long)all, (unsigned long long)h[7]);
    return 0;
}
