// Atomic updates written as `x = x op e` whose operation has another type than the object: wider, without sign, floating-point; with
// conversions in the middle of a chain.
#include <stdio.h>

enum { N = 200 };

int main(void)
{
    int h[8] = {0}, kept[N];
    unsigned u[4] = {4000000000u, 1, 2, 3};
    short s[4] = {0};
    unsigned char c[4] = {0};
    float f[2] = {0};
    double d = 0;
    long mask = 5;
#pragma acc parallel loop copy(h, u, s, c, f, d) copyout(kept)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        h[0] = h[0] | (i / 3l & 7);
#pragma acc atomic update
        h[1] = ((0 - 32767l) / 15u & 7) | h[1];
#pragma acc atomic update
        h[2] = h[2] + 1.0;
#pragma acc atomic update
        h[3] = h[3] + mask + 2u;
#pragma acc atomic update
        u[0] = u[0] + 1l;
#pragma acc atomic update
        u[1] = 3ll + u[1];
#pragma acc atomic update
        s[i & 3] = s[i & 3] + 1l;
#pragma acc atomic update
        c[i & 3] = c[i & 3] ^ (mask << 40 | i);
#pragma acc atomic update
        f[0] = f[0] + 0.5;
#pragma acc atomic update
        f[1] = 2 + f[1];
#pragma acc atomic update
        d = d + 1 + 0.25f;
#pragma acc atomic capture
        {
            kept[i] = h[4];
            h[4] = h[4] + 1ll;
        }
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += kept[i];
    printf("%d %d %d %d %d %ld\n", h[0], h[1], h[2], h[3], h[4], sum);
    printf("%u %u %d %d %d %d %d %d %g %g %g\n", u[0], u[1], s[0], s[3], c[0], c[1], c[2], c[3], f[0], f[1], d);
    // One update each: what is in the middle of a chain is extended as the language says.
    unsigned big = 4294967295u;
    long wide = 0;
    int odd = 7;
#pragma acc parallel copy(big, wide, odd)
    {
#pragma acc atomic update
        wide = wide + 4000000000u;
#pragma acc atomic update
        odd = odd - 1 - 0.75;
#pragma acc atomic update
        big = big + 1u + 2l;
    }
    printf("%u %ld %d\n", big, wide, odd);
    return 0;
}
