// Escape times of the Mandelbrot set in fixed-point arithmetic.
#include <stdio.h>

#define W 72
#define H 40

int main(void)
{
    static unsigned char t[H][W];
#pragma acc parallel loop gang copyout(t)
    for (int y = 0; y < H; y++) {
#pragma acc loop vector
        for (int x = 0; x < W; x++) {
            long cr = (x * 3L << 24) / W - (2L << 24), ci = (y * 2L << 24) / H - (1L << 24), zr = 0, zi = 0;
            int n = 0;
            while (n < 100) {
                long rr = zr * zr >> 24, ii = zi * zi >> 24;
                if (rr + ii > 4L << 24)
                    break;
                zi = (zr * zi >> 23) + ci;
                zr = rr - ii + cr;
                n++;
            }
            t[y][x] = (unsigned char)n;
        }
    }
    for (int y = 0; y < H; y += 2) {
        for (int x = 0; x < W; x++)
            putchar(t[y][x] == 100 ? '#' : t[y][x] > 8 ? '+' : '.');
        putchar('\n');
    }
    return 0;
}
