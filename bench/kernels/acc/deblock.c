// Deblocking of a decoded picture of 7680 x 4320 bytes as HEVC has it: across each edge of 8 x 8 blocks that is marked, four lines together
// are left alone, or get a weak or a strong filter, by how smooth they are and the blocks' quantisers; upright edges, then level ones.
#include "../kernels.h"

enum { WIDTH = 7680, HEIGHT = 4320, BLOCK = 8, WIDE = WIDTH / BLOCK, PARTS = WIDTH / 4 };

static const unsigned char betas[52] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  6,  7,
                                        8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 32,
                                        34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64};
static const unsigned char tcs[54] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24};

#if SPELLING == 1
// Lines are `line` bytes apart, the points across the edge `step`.
#pragma acc routine seq
static int clip(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

#pragma acc routine seq
static void edge(unsigned char *p, int step, int line, int beta, int tc)
{
    int dp0 = abs(p[-3 * step] - 2 * p[-2 * step] + p[-step]), dq0 = abs(p[2 * step] - 2 * p[step] + p[0]);
    unsigned char *l = p + 3 * line;
    int dp3 = abs(l[-3 * step] - 2 * l[-2 * step] + l[-step]), dq3 = abs(l[2 * step] - 2 * l[step] + l[0]);
    if (dp0 + dq0 + dp3 + dq3 >= beta)
        return;
    int strong0 = 2 * (dp0 + dq0) < beta / 4 && abs(p[-4 * step] - p[-step]) + abs(p[0] - p[3 * step]) < beta / 8 &&
                  abs(p[-step] - p[0]) < (5 * tc + 1) / 2;
    int strong3 = 2 * (dp3 + dq3) < beta / 4 && abs(l[-4 * step] - l[-step]) + abs(l[0] - l[3 * step]) < beta / 8 &&
                  abs(l[-step] - l[0]) < (5 * tc + 1) / 2;
    int side = (beta + beta / 2) / 8, more_p = dp0 + dp3 < side, more_q = dq0 + dq3 < side;
    for (int k = 0; k < 4; k++, p += line) {
        int p3 = p[-4 * step], p2 = p[-3 * step], p1 = p[-2 * step], p0 = p[-step];
        int q0 = p[0], q1 = p[step], q2 = p[2 * step], q3 = p[3 * step];
        if (strong0 && strong3) {
            p[-3 * step] = clip((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) / 8, p2 - 2 * tc, p2 + 2 * tc);
            p[-2 * step] = clip((p2 + p1 + p0 + q0 + 2) / 4, p1 - 2 * tc, p1 + 2 * tc);
            p[-step] = clip((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) / 8, p0 - 2 * tc, p0 + 2 * tc);
            p[0] = clip((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) / 8, q0 - 2 * tc, q0 + 2 * tc);
            p[step] = clip((p0 + q0 + q1 + q2 + 2) / 4, q1 - 2 * tc, q1 + 2 * tc);
            p[2 * step] = clip((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) / 8, q2 - 2 * tc, q2 + 2 * tc);
        } else {
            int delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
            if (abs(delta) >= 10 * tc)
                continue;
            delta = clip(delta, -tc, tc);
            p[-step] = clip(p0 + delta, 0, 255);
            p[0] = clip(q0 - delta, 0, 255);
            if (more_p)
                p[-2 * step] = clip(p1 + clip(((p2 + p0 + 1) / 2 - p1 + delta) >> 1, -(tc / 2), tc / 2), 0, 255);
            if (more_q)
                p[step] = clip(q1 + clip(((q2 + q0 + 1) / 2 - q1 - delta) >> 1, -(tc / 2), tc / 2), 0, 255);
        }
    }
}

static void deblock(int rows, const unsigned char *restrict decoded, const unsigned char *restrict quantiser,
                    const unsigned char *restrict upright, const unsigned char *restrict level, unsigned char *restrict out)
{
    const int high = rows / BLOCK;
#pragma acc data present(decoded[0:rows * WIDTH], quantiser[0:high * WIDE], out[0:rows * WIDTH]) \
    present(upright[0:rows / 4 * WIDE], level[0:high * PARTS]) copyin(betas, tcs)
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < rows * WIDTH; k++)
            out[k] = decoded[k];
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 0; y < rows / 4; y++)
            for (int x = 1; x < WIDE; x++) {
                int strength = upright[y * WIDE + x];
                if (strength > 0) {
                    int q = (quantiser[y / 2 * WIDE + x - 1] + quantiser[y / 2 * WIDE + x] + 1) / 2;
                    edge(&out[y * 4 * WIDTH + x * BLOCK], 1, WIDTH, betas[q], tcs[q + 2 * (strength - 1)]);
                }
            }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 1; y < high; y++)
            for (int x = 0; x < PARTS; x++) {
                int strength = level[y * PARTS + x];
                if (strength > 0) {
                    int q = (quantiser[(y - 1) * WIDE + x / 2] + quantiser[y * WIDE + x / 2] + 1) / 2;
                    edge(&out[y * BLOCK * WIDTH + x * 4], WIDTH, 1, betas[q], tcs[q + 2 * (strength - 1)]);
                }
            }
    }
}
#else
typedef unsigned char byte;

#define LIMIT(v, by) ((v) < -(by) ? -(by) : (v) > (by) ? (by) : (v))
#define NEAR(new, old) ((byte)((old) + LIMIT((new) - (old), 2 * tc)))
#define TO_BYTE(v) ((byte)((v) < 0 ? 0 : (v) > 255 ? 255 : (v)))
#define BEND(a, b, c) abs((a) - 2 * (b) + (c))

// One line of eight points by the filter that its four lines share.
#pragma acc routine seq
static void filter(byte v[8], int tc, int strong, int more_p, int more_q)
{
    const int p3 = v[0], p2 = v[1], p1 = v[2], p0 = v[3], q0 = v[4], q1 = v[5], q2 = v[6], q3 = v[7];
    if (strong) {
        const int middle = p0 + q0;
        v[1] = NEAR((2 * p3 + 3 * p2 + p1 + middle + 4) >> 3, p2);
        v[2] = NEAR((p2 + p1 + middle + 2) >> 2, p1);
        v[3] = NEAR((p2 + 2 * p1 + 2 * middle + q1 + 4) >> 3, p0);
        v[4] = NEAR((p1 + 2 * middle + 2 * q1 + q2 + 4) >> 3, q0);
        v[5] = NEAR((middle + q1 + q2 + 2) >> 2, q1);
        v[6] = NEAR((middle + q1 + 3 * q2 + 2 * q3 + 4) >> 3, q2);
        return;
    }
    int delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
    if (delta >= 10 * tc || delta <= -10 * tc)
        return;
    delta = LIMIT(delta, tc);
    v[3] = TO_BYTE(p0 + delta);
    v[4] = TO_BYTE(q0 - delta);
    const int half = tc >> 1, dp = (((p2 + p0 + 1) >> 1) - p1 + delta) >> 1, dq = (((q2 + q0 + 1) >> 1) - q1 - delta) >> 1;
    if (more_p)
        v[2] = TO_BYTE(p1 + LIMIT(dp, half));
    if (more_q)
        v[5] = TO_BYTE(q1 + LIMIT(dq, half));
}

#pragma acc routine seq
static void lines(byte v[4][8], int beta, int tc)
{
    int bends[2][2], strong = 1;
    for (unsigned i = 0; i < 2; ++i) {
        const byte *l = v[3 * i];
        bends[i][0] = BEND(l[1], l[2], l[3]);
        bends[i][1] = BEND(l[6], l[5], l[4]);
        strong &= 2 * (bends[i][0] + bends[i][1]) < beta >> 2;
        strong &= abs(l[0] - l[3]) + abs(l[4] - l[7]) < beta >> 3;
        strong &= abs(l[3] - l[4]) < (5 * tc + 1) >> 1;
    }
    const int left = bends[0][0] + bends[1][0], right = bends[0][1] + bends[1][1], side = (beta + (beta >> 1)) >> 3;
    if (left + right < beta)
        for (unsigned k = 0; k < 4; ++k)
            filter(v[k], tc, strong, left < side, right < side);
}

static void deblock(size_t rows, const byte (*decoded)[WIDTH], const byte (*quantiser)[WIDE], const byte (*upright)[WIDE],
                    const byte (*level)[PARTS], byte (*out)[WIDTH])
{
    const size_t high = rows / BLOCK;
#pragma acc data present(decoded[0:rows], quantiser[0:high], upright[0:rows / 4], level[0:high], out[0:rows])
    {
        // each thread has the points from the middle of a block to the next one's, so that it can copy them, too
#pragma acc parallel loop gang copyin(betas, tcs)
#pragma omp parallel for
        for (size_t y = 0; y < rows / 4; ++y)
#pragma acc loop vector
            for (size_t x = 0; x <= WIDE; ++x) {
                byte v[4][8];
                const size_t from = x == 0 ? 4 : 0, to = x == WIDE ? 4 : 8;
                for (size_t k = 0; k < 4; ++k)
                    for (size_t i = 0; i < 8; ++i)
                        v[k][i] = i >= from && i < to ? decoded[4 * y + k][x * BLOCK + i - 4] : 0;
                if (x > 0 && x < WIDE && upright[y][x]) {
                    const unsigned q = (quantiser[y / 2][x - 1] + quantiser[y / 2][x] + 1u) / 2;
                    lines(v, betas[q], tcs[q + 2 * (upright[y][x] - 1)]);
                }
                for (size_t k = 0; k < 4; ++k)
                    for (size_t i = from; i < to; ++i)
                        out[4 * y + k][x * BLOCK + i - 4] = v[k][i];
            }
#pragma acc parallel loop gang copyin(betas, tcs)
#pragma omp parallel for
        for (size_t y = 1; y < high; ++y)
#pragma acc loop vector
            for (size_t x = 0; x < PARTS; ++x)
                if (level[y][x]) {
                    byte v[4][8];
                    const unsigned q = (quantiser[y - 1][x / 2] + quantiser[y][x / 2] + 1u) / 2;
                    for (size_t i = 0; i < 8; ++i)
                        for (size_t k = 0; k < 4; ++k)
                            v[k][i] = out[y * BLOCK - 4 + i][4 * x + k];
                    lines(v, betas[q], tcs[q + 2 * (level[y][x] - 1)]);
                    for (size_t i = 1; i < 7; ++i)
                        for (size_t k = 0; k < 4; ++k)
                            out[y * BLOCK - 4 + i][4 * x + k] = v[k][i];
                }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = (HEIGHT >> args.shift) / BLOCK * BLOCK, high = rows / BLOCK, n = rows * WIDTH;
    unsigned char *decoded = NEW(unsigned char, n), *out = NEW(unsigned char, n), *quantiser = NEW(unsigned char, high * WIDE);
    unsigned char *upright = NEW(unsigned char, 2 * high * WIDE), *level = NEW(unsigned char, high * PARTS);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int x = k % WIDTH, y = k / WIDTH, block = y / BLOCK * WIDE + x / BLOCK;
        decoded[k] = (unsigned char)(120 + 80 * sin(0.002 * x) * cos(0.003 * y) + mix(block) % 12 + mix(k) % (1 + mix(block / 4) % 6));
    }
    for (int k = 0; k < high * WIDE; k++)
        quantiser[k] = 24 + mix(k) % 24;
    for (int k = 0; k < 2 * high * WIDE; k++)
        upright[k] = mix(k + 5) % 8 < 5 ? mix(k) % 2 + 1 : 0;
    for (int k = 0; k < high * PARTS; k++)
        level[k] = mix(k + 6) % 8 < 5 ? mix(k + 1) % 2 + 1 : 0;
#pragma acc enter data copyin(decoded[0:n], quantiser[0:high * WIDE], upright[0:2 * high * WIDE], level[0:high * PARTS]) \
    copyin(betas, tcs) create(out[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        deblock(rows, decoded, quantiser, upright, level, out);
#else
        deblock(rows, (const byte(*)[WIDTH])decoded, (const byte(*)[WIDE])quantiser, (const byte(*)[WIDE])upright,
                (const byte(*)[PARTS])level, (byte(*)[WIDTH])out);
#endif
#pragma acc update self(out[0:n])
    for (int k = 0; k < n; k++)
        sum += out[k] * (1 + k % 13) + 4.0 * abs(out[k] - decoded[k]);
    report("deblock", t.best, sum);
    return 0;
}
