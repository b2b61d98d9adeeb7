/* What compilers make of ordinary C: switch tables, recursion, structures by value, local arrays, pointers to functions,
   all integer widths, single and double precision. `work` gives a number that depends on all of it. */
typedef unsigned long long u64;
typedef unsigned int u32;

struct pair { double x; float y; short s; signed char c; };

static u64 mix(u64 h, u64 v) {
    h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdull;
}

static __attribute__((noinline)) int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static __attribute__((noinline)) struct pair turn(struct pair p, int n) {
    struct pair q;
    q.x = p.x * 0.75 - p.y;
    q.y = (float)p.x + n;
    q.s = (short)(p.s * 3 + n);
    q.c = (signed char)(p.c - n);
    return q;
}

static __attribute__((noinline)) u32 pick(u32 k, u32 x) {
    switch (k % 11) {
    case 0: return x + 1;
    case 1: return x * 3;
    case 2: return x ^ 0x55;
    case 3: return x >> 3;
    case 4: return x << 5 | x >> 27;
    case 5: return ~x;
    case 6: return x % 1000;
    case 7: return x / 7;
    case 8: return __builtin_popcount(x);
    case 9: return x ? __builtin_clz(x) : 99;
    default: return x - 12345;
    }
}

static __attribute__((noinline)) double horner(double x) { return ((0.5 * x - 1.25) * x + 3.0) * x - 0.125; }
static __attribute__((noinline)) double halve(double x) { return x / 2 + 1; }

static __attribute__((noinline)) void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; }
        a[j] = v;
    }
}

u64 work(u32 seed) {
    u64 h = seed;
    u32 x = seed * 2654435761u + 1;
    int values[24];
    for (int i = 0; i < 24; i++) {
        x = x * 1664525u + 1013904223u;
        values[i] = (int)(x >> 8) - 5000000;
        h = mix(h, pick(x >> 20, x));
    }
    sort(values, 8 + seed % 17);
    for (int i = 0; i < 24; i++) h = mix(h, (u64)(long long)values[i]);
    h = mix(h, ackermann(2, seed % 5));
    struct pair p = { seed * 0.5, 1.5f + seed, (short)(seed * 1000), (signed char)seed };
    for (u32 i = 0; i < 3 + seed % 4; i++) p = turn(p, i);
    union { double d; u64 u; } d = { p.x };
    union { float f; u32 u; } f = { p.y };
    h = mix(mix(h, d.u), f.u);
    h = mix(mix(h, (u64)p.s), (u64)p.c);
    double (*table[2])(double) = { horner, halve };
    double y = seed * 0.01;
    for (u32 i = 0; i < 6; i++) y = table[(x >> i) & 1](y) * 0.1;
    d.d = y;
    h = mix(h, d.u);
    long long big = (long long)(y * 1e6) * (int)seed;
    h = mix(h, (u64)(big / ((int)seed - 77 ? (int)seed - 77 : 1)));
    h = mix(h, (u64)(big % 1001));
    h = mix(h, (u64)(unsigned char)(int)(y * 100) + (u64)(u32)(float)(seed * 3.7f));
    float g = 0;
    for (u32 i = 1; i <= seed % 13 + 1; i++) g += 1.0f / i;
    f.f = __builtin_sqrtf(g);
    return mix(h, f.u);
}
