// Windows whose loads neighbours have in common, with loads that stand there twice, in three spellings; and one of too few loads.
#include <stddef.h>
#include <stdlib.h>
enum { H = 1024, W = 4096 };
static unsigned char in[H * W], out[H * W];
static void flat(int h, int w, const unsigned char *restrict in, unsigned char *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:h * w], out[0:h * w])
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int gx = in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1] -
                     in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
            int gy = in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1] -
                     in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1];
            out[y * w + x] = abs(gx) + abs(gy) > 99;
        }
}
static void rows(size_t h, size_t w, unsigned char *from, unsigned char *to)
{
    unsigned char(*in)[w] = (unsigned char(*)[w])from, (*out)[w] = (unsigned char(*)[w])to;
#pragma acc parallel loop gang present(in[0:h][0:w], out[0:h][0:w])
    for (size_t y = 1; y < h - 1; y++)
#pragma acc loop vector
        for (size_t x = 1; x < w - 1; x++) {
            int gx = 0, gy = 0;
            for (int k = -1; k <= 1; k++) {
                gx += (k ? 1 : 2) * (in[y + k][x + 1] - in[y + k][x - 1]);
                gy += (k ? 1 : 2) * (in[y + 1][x + k] - in[y - 1][x + k]);
            }
            out[y][x] = abs(gx) + abs(gy) > 99;
        }
}
#define AT(a, y, x) (a)[(y) * w + (x)]
static void macros(unsigned h, unsigned w, const unsigned char *in, unsigned char *out)
{
#pragma acc parallel loop collapse(2) present(in[0:h * w], out[0:h * w])
    for (unsigned y = 1; y < h - 1; y++)
        for (unsigned x = 1; x < w - 1; x++) {
            int east = AT(in, y - 1, x + 1) + 2 * AT(in, y, x + 1) + AT(in, y + 1, x + 1);
            int west = AT(in, y - 1, x - 1) + 2 * AT(in, y, x - 1) + AT(in, y + 1, x - 1);
            int south = AT(in, y + 1, x - 1) + 2 * AT(in, y + 1, x) + AT(in, y + 1, x + 1);
            int north = AT(in, y - 1, x - 1) + 2 * AT(in, y - 1, x) + AT(in, y - 1, x + 1);
            AT(out, y, x) = abs(east - west) + abs(south - north) > 99;
        }
}
static void cross(int h, int w, const unsigned char *restrict in, unsigned char *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:h * w], out[0:h * w])
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            out[y * w + x] = (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]) / 4;
}
int main(void)
{
#pragma acc data copyin(in) copyout(out)
    {
        flat(H, W, in, out);
        rows(H, W, in, out);
        macros(H, W, in, out);
        cross(H, W, in, out);
    }
    return 0;
}
