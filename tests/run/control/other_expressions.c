// What else C11 and GNU C have for expressions and statements, in regions: `_Generic`, statement expressions, ranges of cases,
// bit-fields, unions and anonymous members.
#include <stdio.h>

struct bits { unsigned a : 3; int b : 7; unsigned long c : 40; };
union word { float f; unsigned w; unsigned char c[4]; };
struct parts { int x; union { int y; float z; }; struct { int p, q; }; };
#define KIND(x) _Generic((x), int : 1, double : 2, float : 3, default : 4)

int main(void) {
    enum { N = 64 };
    int y[N], s = 0;
    struct bits g[N];
    union word h[N];
    struct parts k[N];
#pragma acc parallel loop copyout(y)
    for (int i = 0; i < N; i++) {
        int v = 0;
        switch (i % 4) {
        case 0: v += 10; break;
        case 1: v += 20; /* fall through */
        case 2: v += 30; break;
        default: v -= 1;
        }
        switch (i) {
        case 0 ... 9: v += 100; break;
        case 12: { v += 7; break; }
        }
        while (v > 50) {
            v -= 13;
            if (v == 33)
                break;
            if (v % 2)
                continue;
            v--;
        }
        do {
            v++;
        } while (v < 5);
        y[i] = ({ int z = v * 2; z + 1; }) + KIND(v) + 10 * KIND(1.0) + 100 * KIND(1.0f) + KIND(1L)
            + ((struct parts){.x = i, .q = 3}).q + (int)sizeof(struct bits);
    }
    for (int i = 0; i < N; i++)
        s += y[i] * (i % 7);
#pragma acc parallel loop copyout(g, h, k)
    for (int i = 0; i < N; i++) {
        g[i].a = i;
        g[i].b = -i;
        g[i].c = (unsigned long)i << 30;
        g[i].b += 1;
        h[i].f = i;
        h[i].c[0] |= 1;
        k[i].x = i;
        k[i].z = i;
        k[i].p = k[i].y;
        k[i].q = 2;
    }
    unsigned long t = 0;
    for (int i = 0; i < N; i++)
        t += g[i].a * 3 + g[i].b + (g[i].c >> 30) + h[i].w % 1000 + k[i].p % 997 + k[i].q + k[i].x;
    printf("%d %lu\n", s, t);
    return 0;
}
