// Loops whose bounds are cut at the edges: windows by conditions, minima and branches, with counters of several types; the last block of a
// sequence; windows that are larger than what they are in, and bounds that are nowhere near each other.
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#define H 23
#define W 37
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static unsigned char in[H][W];
static int sums[H][W], least[H][W], most[H][W], blocks[H * W / 8 + 1], odd[W];
static double means[H][W];

static int largest(const unsigned char *from, unsigned h, unsigned w, unsigned y, unsigned x, unsigned r)
{
    unsigned top = y < r ? 0 : y - r, bottom = y + r < h ? y + r : h - 1, left = x < r ? 0 : x - r, right = x + r < w ? x + r : w - 1;
    int best = -1;
    for (unsigned yy = top; yy <= bottom; ++yy)
        for (unsigned xx = left; xx <= right; ++xx)
            best = from[yy * w + xx] > best ? from[yy * w + xx] : best;
    return best;
}

int main(void)
{
    int h = H, w = W;
    for (int k = 0; k < H * W; k++)
        in[k / W][k % W] = k * 71 % 251;
#pragma acc parallel loop collapse(2) copyin(in) copyout(sums, least, means)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int q = MAX(x - 3, 0); q < MIN(x + 4, w); q++)
                sum += in[y][q] * (q - x + 4);
            sums[y][x] = sum;
            int first = y - 2, last = y + 2, low = 255;
            if (first < 0)
                first = 0;
            if (last > h - 1)
                last = h - 1;
            for (long q = first; q <= last; q++)
                low = MIN(low, in[q][x]);
            least[y][x] = low;
            double all = 0;
            int seen = 0;
            for (ptrdiff_t q = x < 20 ? 0 : (ptrdiff_t)x - 20; q <= (x + 20 < w ? x + 20 : w - 1); ++q, ++seen)
                all += in[y][q];
            means[y][x] = all / seen;
        }
#pragma acc parallel loop copyin(in) copyout(most)
    for (unsigned y = 0; y < H; ++y)
#pragma acc loop vector
        for (unsigned x = 0; x < W; ++x)
            most[y][x] = largest(&in[0][0], H, W, y, x, 1 + (x > 1000)) * 1000 + largest(&in[0][0], H, W, y, x, 4);
    int n = H * W;
#pragma acc parallel loop copyin(in) copyout(blocks)
    for (int b = 0; b < (n + 7) / 8; b++) {
        int sum = 0;
        for (int k = 8 * b; k < MIN(8 * b + 8, n); k++)
            sum = sum * 3 + in[k / W][k % W];
        for (int k = 0; k < (n - 8 * b < 8 ? n - 8 * b : 8); k++)
            sum ^= in[(8 * b + k) / W][(8 * b + k) % W] << k;
        blocks[b] = sum;
    }
    // Ends before it begins, wherever it is cut; and where differences wrap around.
#pragma acc parallel loop copyout(odd)
    for (int x = 0; x < W; x++) {
        int count = 0, far = x == 5 ? INT_MAX - 2 : x;
        for (int k = MAX(x, 10); k < MIN(x - 4, 30); k++)
            count++;
        for (int k = far; k < (x == 5 ? INT_MIN + 2 : x % 2 ? x + 5 : x); k++)
            count += 100;
        odd[x] = count;
    }
    long a = 0, b = 0, c = 0, d = 0;
    double e = 0;
    for (int k = 0; k < H * W; k++) {
        a += (long)sums[k / W][k % W] * (k % 13 + 1), b += (long)least[k / W][k % W] * (k % 11 + 1);
        c += (long)most[k / W][k % W] * (k % 7 + 1), e += means[k / W][k % W] * (k % 5 + 1);
    }
    for (int k = 0; k < (n + 7) / 8; k++)
        d += (long)blocks[k] * (k + 1);
    printf("%ld %ld %ld %ld %.6f\n", a, b, c, d, e);
    for (int x = 0; x < W; x++)
        printf("%d%c", odd[x], x == W - 1 ? '\n' : ' ');
    return 0;
}
