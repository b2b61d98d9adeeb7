// Deblocking of a decoded picture of 7680 x 4320 bytes as HEVC has it: a thread takes four lines across an edge as four words of eight
// bytes, or eight words of four bytes one below the other, and filters them in registers.
#include "kernels.cuh"

constexpr int WIDTH = 7680, HEIGHT = 4320, BLOCK = 8, WIDE = WIDTH / BLOCK, PARTS = WIDTH / 4, THREADS = 128;

static const unsigned char host_betas[52] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  6,  7,
                                             8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 32,
                                             34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64};
static const unsigned char host_tcs[54] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24};

__device__ int clip(int v, int low, int high) { return min(max(v, low), high); }

// Four lines of eight points.
__device__ void filter(int v[4][8], int beta, int tc)
{
    int dp[2], dq[2];
    bool strong = true;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        int *l = v[3 * i];
        dp[i] = abs(l[1] - 2 * l[2] + l[3]);
        dq[i] = abs(l[6] - 2 * l[5] + l[4]);
        strong = strong && 2 * (dp[i] + dq[i]) < beta / 4 && abs(l[0] - l[3]) + abs(l[4] - l[7]) < beta / 8 &&
                 abs(l[3] - l[4]) < (5 * tc + 1) / 2;
    }
    if (dp[0] + dq[0] + dp[1] + dq[1] >= beta)
        return;
    int side = (beta + beta / 2) / 8;
    bool more_p = dp[0] + dp[1] < side, more_q = dq[0] + dq[1] < side;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int p3 = v[k][0], p2 = v[k][1], p1 = v[k][2], p0 = v[k][3], q0 = v[k][4], q1 = v[k][5], q2 = v[k][6], q3 = v[k][7];
        if (strong) {
            v[k][1] = clip((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) / 8, p2 - 2 * tc, p2 + 2 * tc);
            v[k][2] = clip((p2 + p1 + p0 + q0 + 2) / 4, p1 - 2 * tc, p1 + 2 * tc);
            v[k][3] = clip((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) / 8, p0 - 2 * tc, p0 + 2 * tc);
            v[k][4] = clip((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) / 8, q0 - 2 * tc, q0 + 2 * tc);
            v[k][5] = clip((p0 + q0 + q1 + q2 + 2) / 4, q1 - 2 * tc, q1 + 2 * tc);
            v[k][6] = clip((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) / 8, q2 - 2 * tc, q2 + 2 * tc);
        } else {
            int delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
            if (abs(delta) < 10 * tc) {
                delta = clip(delta, -tc, tc);
                v[k][3] = clip(p0 + delta, 0, 255);
                v[k][4] = clip(q0 - delta, 0, 255);
                if (more_p)
                    v[k][2] = clip(p1 + clip(((p2 + p0 + 1) / 2 - p1 + delta) >> 1, -(tc / 2), tc / 2), 0, 255);
                if (more_q)
                    v[k][5] = clip(q1 + clip(((q2 + q0 + 1) / 2 - q1 - delta) >> 1, -(tc / 2), tc / 2), 0, 255);
            }
        }
    }
}

// From the middle of a block to the middle of the next, with half a block at both ends of a line.
__global__ void __launch_bounds__(THREADS)
across(int rows, const unsigned char *__restrict__ decoded, const unsigned char *__restrict__ quantiser,
       const unsigned char *__restrict__ upright, const unsigned char *__restrict__ betas,
       const unsigned char *__restrict__ tcs, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y;
    if (x > WIDE)
        return;
    const uchar4 *from = (const uchar4 *)decoded + (size_t)4 * y * PARTS;
    uchar4 *to = (uchar4 *)out + (size_t)4 * y * PARTS;
    int v[4][8];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uchar4 l = x > 0 ? from[k * PARTS + 2 * x - 1] : make_uchar4(0, 0, 0, 0);
        uchar4 r = x < WIDE ? from[k * PARTS + 2 * x] : make_uchar4(0, 0, 0, 0);
        v[k][0] = l.x, v[k][1] = l.y, v[k][2] = l.z, v[k][3] = l.w;
        v[k][4] = r.x, v[k][5] = r.y, v[k][6] = r.z, v[k][7] = r.w;
    }
    if (x > 0 && x < WIDE) {
        int strength = upright[y * WIDE + x];
        if (strength > 0) {
            int q = (quantiser[y / 2 * WIDE + x - 1] + quantiser[y / 2 * WIDE + x] + 1) / 2;
            filter(v, betas[q], tcs[q + 2 * (strength - 1)]);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (x > 0)
            to[k * PARTS + 2 * x - 1] = make_uchar4(v[k][0], v[k][1], v[k][2], v[k][3]);
        if (x < WIDE)
            to[k * PARTS + 2 * x] = make_uchar4(v[k][4], v[k][5], v[k][6], v[k][7]);
    }
}

__global__ void __launch_bounds__(THREADS)
down(const unsigned char *__restrict__ quantiser, const unsigned char *__restrict__ level,
     const unsigned char *__restrict__ betas, const unsigned char *__restrict__ tcs, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y + 1;
    if (x >= PARTS)
        return;
    int strength = level[y * PARTS + x];
    if (strength == 0)
        return;
    uchar4 *p = (uchar4 *)out + (size_t)(y * BLOCK - 4) * PARTS + x;
    int q = (quantiser[(y - 1) * WIDE + x / 2] + quantiser[y * WIDE + x / 2] + 1) / 2, v[4][8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        uchar4 four = p[i * PARTS];
        v[0][i] = four.x, v[1][i] = four.y, v[2][i] = four.z, v[3][i] = four.w;
    }
    filter(v, betas[q], tcs[q + 2 * (strength - 1)]);
#pragma unroll
    for (int i = 1; i < 7; i++)
        p[i * PARTS] = make_uchar4(v[0][i], v[1][i], v[2][i], v[3][i]);
}

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
    unsigned char *ddecoded = on_device(decoded, n), *dquantiser = on_device(quantiser, high * WIDE);
    unsigned char *dupright = on_device(upright, 2 * high * WIDE), *dlevel = on_device(level, high * PARTS);
    unsigned char *dbetas = on_device(host_betas, 52), *dtcs = on_device(host_tcs, 54), *dout = device<unsigned char>(n);
    double best = fastest(args.repeats, [&] {
        across<<<dim3(ceiling(WIDE + 1, THREADS), rows / 4), THREADS>>>(rows, ddecoded, dquantiser, dupright, dbetas, dtcs, dout);
        down<<<dim3(ceiling(PARTS, THREADS), high - 1), THREADS>>>(dquantiser, dlevel, dbetas, dtcs, dout);
    });
    to_host(out, dout, n);
    for (int k = 0; k < n; k++)
        sum += out[k] * (1 + k % 13) + 4.0 * abs(out[k] - decoded[k]);
    report("deblock", best, sum);
    return 0;
}
