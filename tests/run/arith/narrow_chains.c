// Chains of operations on integers narrower than `int`, each of which is cut and extended again: with and without signs, where it changes
// the number and where it does not.
#include <stdio.h>

#define N 512

static unsigned char a[N], b[N];
static signed char c[N], d[N];
static unsigned short e[N];
static short f[N];
static long out[10][N];

int main(void)
{
    for (int k = 0; k < N; k++) {
        a[k] = k * 37, b[k] = k * 11 + 200;
        c[k] = k * 29, d[k] = k * 13 - 100;
        e[k] = k * 1021, f[k] = k * 517 - 30000;
    }
#pragma acc parallel loop copyin(a, b, c, d, e, f) copyout(out)
    for (int k = 0; k < N; k++) {
        unsigned char x = a[k] ^ b[k];
        for (int l = 0; l < 7; l++)
            x ^= a[(k + l) % N] | b[(k + 3 * l) % N] & 0x3c;
        out[0][k] = x;
        signed char y = c[k];
        for (int l = 0; l < 5; l++)
            y = y ^ d[(k + l) % N];
        out[1][k] = y;
        // A sign appears, and one goes away.
        signed char z = a[k] ^ b[k];
        out[2][k] = z;
        unsigned char w = c[k] & d[k];
        out[3][k] = w;
        unsigned short s = a[k] + b[k];
        s = s + e[k];
        s ^= x;
        out[4][k] = s;
        short t = (short)(f[k] + c[k]);
        t = t < 0 ? t >> 3 : t & 0x7ff;
        out[5][k] = (int)t * 3;
        unsigned char q = x > 100 ? a[k] : k % 3 ? 255 : b[k] >> 1;
        q = q < b[k] ? q : b[k];
        out[6][k] = (long)q << 2;
        signed char u = (signed char)e[k];
        u = u > d[k] ? u : d[k];
        out[7][k] = u + (unsigned char)u;
        unsigned char v = (unsigned char)f[k];
        v = v / 3 + v % 7;
        out[8][k] = v * (unsigned)v;
        signed char g = (signed char)(x >> 1), h = (signed char)(x & 127);
        out[9][k] = g * h + (signed char)(g + h);
    }
    for (int r = 0; r < 10; r++) {
        long sum = 0;
        for (int k = 0; k < N; k++)
            sum += out[r][k] * (k % 17 + 1);
        printf("%d: %ld %ld %ld\n", r, sum, out[r][5], out[r][N - 3]);
    }
    return 0;
}
