// _Float16: arithmetic, comparisons, conversions from and to every type, structs, calls, atomic updates. All values are exact.
// needs-clang: 15 (older ones have no _Float16 on x86-64)
// launches: 5
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

typedef _Float16 half;

struct pair {
    half first;
    char between;
    half second[3];
};

#pragma acc routine seq
static half twice(half x, int more)
{
    return more ? x * 2 : x;
}

static void show(const char *what, const half *v, int n)
{
    printf("%s", what);
    for (int i = 0; i < n; i++)
        printf(" %g", (double)v[i]);
    printf("\n");
}

int main(void)
{
    enum { N = 64 };
    half a[N], b[N], c[N], from[N];
    double to[N];
    struct pair pairs[N], all = {1, 2, {3, 4, 5}};
    for (int i = 0; i < N; i++) {
        a[i] = i * 37 % 23 - 11;
        b[i] = 0.5f * (i % 7);
    }
    half scale = 4, special[6] = {0};
#pragma acc parallel loop copyin(a, b) copyout(c) firstprivate(scale)
    for (int i = 0; i < N; i++) {
        half x = a[i] * b[i] + (half)1.5f;
        x -= a[i] / scale;
        if (x < b[i] || x == 3 || !(x <= 20))
            x = -x;
        x++;
        c[i] = twice(x, i & 1) - sqrtf(x * x) + fabs(x);
    }
    show("arithmetic", c, N);
#pragma acc parallel loop copyin(c) copyout(from, to)
    for (int i = 0; i < N; i++) {
        half x = c[i] < 0 ? -c[i] : c[i];
        signed char s8 = x;
        unsigned char u8 = x;
        short s16 = c[i];
        unsigned short u16 = x;
        int s32 = c[i];
        unsigned u32 = x;
        long s64 = c[i];
        unsigned long u64 = x;
        bool truth = x;
        float f = c[i];
        double d = c[i];
        to[i] = s8 + u8 + s16 + u16 + s32 + u32 + s64 + (double)u64 + truth + f + d;
        half sum = s8;
        sum += (half)u8 + (half)s16 + (half)u16;
        sum += (half)s32 + (half)u32 + (half)s64 + (half)u64;
        sum += (half)truth + (half)f + (half)d;
        from[i] = sum;
    }
    show("conversions", from, N);
    for (int i = 0; i < N; i++)
        printf(" %g", to[i]);
    printf("\n");
#pragma acc parallel loop copyout(pairs) firstprivate(all)
    for (int i = 0; i < N; i++) {
        struct pair p = all;
        p.second[i % 3] += i;
        p.first = p.second[0] + p.second[1] * p.second[2];
        pairs[i] = p;
    }
    for (int i = 0; i < N; i++)
        printf(" %g %d %g", (double)pairs[i].first, pairs[i].between, (double)pairs[i].second[2]);
    printf("\n");
#pragma acc parallel copy(special)
    {
        half large = 60000, tiny = 6e-8f, zero = special[0];
        special[0] = large + large;         // infinity
        special[1] = -large * large;        // -infinity
        special[2] = tiny / 2;              // to even: 0
        special[3] = tiny;                  // the least number
        special[4] = 65519.0;               // the greatest number
        special[5] = zero / zero == zero / zero;
    }
    show("special", special, 6);
    half counts[5] = {0, 1, 100, -100, 0}, seen[N];
#pragma acc parallel loop copy(counts) copyout(seen)
    for (int i = 0; i < N; i++) {
        half old;
#pragma acc atomic update
        counts[0] += 2;
#pragma acc atomic update
        counts[1] = counts[1] * (i % 16 ? 1 : -2);
#pragma acc atomic update
        counts[2] -= i % 2;
#pragma acc atomic capture
        {
            old = counts[4];
            counts[4] += 1;
        }
#pragma acc atomic write
        counts[3] = 7;
        seen[i] = old;
    }
    half total = 0;
    for (int i = 0; i < N; i++)
        total += seen[i];
    show("atomic", counts, 5);
    printf("%g\n", (double)total);
    return 0;
}
