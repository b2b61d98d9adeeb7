// A field of 256^3 floats compressed to eight bits a number as ZFP does it, a thread a block of 4 x 4 x 4 numbers in registers,
// which it reads four at a time; the words of bits go through shared memory.
#include "kernels.cuh"

constexpr int SIDE = 256, BLOCK = 64, BITS = 512, WORDS = BITS / 64, THREADS = 128;

typedef unsigned long long word;

__host__ __device__ constexpr int order(int i)
{
    constexpr unsigned char places[BLOCK] = {
        0,  1,  4,  16, 20, 17, 5,  2,  8,  32, 21, 6,  18, 24, 9,  33, 36, 3,  12, 48, 22, 25,
        37, 40, 34, 10, 7,  19, 28, 13, 49, 52, 41, 38, 26, 23, 29, 53, 11, 35, 44, 14, 50, 56,
        42, 27, 39, 45, 30, 54, 57, 60, 51, 15, 43, 46, 58, 61, 55, 31, 62, 59, 47, 63};
    return places[i];
}

template <int S> __device__ void lift(int *p)
{
    int x = p[0], y = p[S], z = p[2 * S], w = p[3 * S];
    x += w; x >>= 1; w -= x;
    z += y; z >>= 1; y -= z;
    x += z; x >>= 1; z -= x;
    w += y; w >>= 1; y -= w;
    w += y >> 1; y -= w >> 1;
    p[0] = x;
    p[S] = y;
    p[2 * S] = z;
    p[3 * S] = w;
}

struct stream {
    word *to, buffer;
    int at;

    __device__ void put(word bits, int many)
    {
        buffer |= bits << at;
        at += many;
        if (at >= 64) {
            *to = buffer;
            to += THREADS;
            at -= 64;
            buffer = at ? bits >> (many - at) : 0;
        }
    }
};

__global__ void __launch_bounds__(THREADS) compress(int blocks, const float *__restrict__ field, word *__restrict__ out)
{
    __shared__ word words[WORDS * THREADS];
    int b = blockIdx.x * THREADS + threadIdx.x;
    if (b < blocks) {
        constexpr int ROW = SIDE / 4;
        const float *from = field + ((b / ROW / ROW * 4) * SIDE + b / ROW % ROW * 4) * SIDE + b % ROW * 4;
        float f[BLOCK], most = 0;
        int v[BLOCK], exponent = -127, left = BITS - 9, n = 0;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 four = *(const float4 *)(from + i / 4 * SIDE * SIDE + i % 4 * SIDE);
            f[4 * i] = four.x;
            f[4 * i + 1] = four.y;
            f[4 * i + 2] = four.z;
            f[4 * i + 3] = four.w;
            most = fmaxf(fmaxf(most, fmaxf(fabsf(four.x), fabsf(four.y))), fmaxf(fabsf(four.z), fabsf(four.w)));
        }
        if (most > 0)
            frexpf(most, &exponent);
        float scale = most > 0 ? ldexpf(1, 30 - exponent) : 0;
#pragma unroll
        for (int i = 0; i < BLOCK; i++)
            v[i] = (int)(scale * f[i]);
#pragma unroll
        for (int i = 0; i < 16; i++)
            lift<1>(v + 4 * i);
#pragma unroll
        for (int i = 0; i < 16; i++)
            lift<4>(v + i / 4 * 16 + i % 4);
#pragma unroll
        for (int i = 0; i < 16; i++)
            lift<16>(v + i);
#pragma unroll
        for (int i = 0; i < BLOCK; i++)
            v[i] = (int)(((unsigned)v[i] + 0xaaaaaaaau) ^ 0xaaaaaaaau);
        stream s = {words + threadIdx.x, (word)(exponent + 128), 9};
        for (int k = 31; k >= 0 && left > 0; k--) {
            unsigned low = 0, high = 0;
#pragma unroll
            for (int i = 0; i < 32; i++) {
                low |= ((unsigned)v[order(i)] >> k & 1) << i;
                high |= ((unsigned)v[order(i + 32)] >> k & 1) << i;
            }
            word x = (word)high << 32 | low;
            int m = min(n, left);
            if (m > 0)
                s.put(m < 64 ? x & (((word)1 << m) - 1) : x, m);
            left -= m;
            x = m < 64 ? x >> m : 0;
            while (n < BLOCK && left > 0) {
                left--;
                s.put(x != 0, 1);
                if (x == 0)
                    break;
                // the zeros up to the next one and that, at once
                int zeros = __ffsll(x) - 1, run = min(min(zeros, left), BLOCK - 1 - n);
                bool one = run == zeros && run < left && n + run < BLOCK - 1;
                if (run + one > 0)
                    s.put(one ? (word)1 << run : 0, run + one);
                left -= run + one;
                n += run + 1;
                x >>= run;
                x >>= 1;
            }
        }
        for (; s.to < words + WORDS * THREADS; s.to += THREADS) {
            *s.to = s.buffer;
            s.buffer = 0;
        }
    }
    __syncthreads();
    word *to = out + (size_t)blockIdx.x * THREADS * WORDS;
    for (int k = threadIdx.x; k < THREADS * WORDS; k += THREADS)
        if (blockIdx.x * THREADS + k / WORDS < blocks)
            to[k] = words[k % WORDS * THREADS + k / WORDS];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, blocks = n / BLOCK;
    float *field = NEW(float, n);
    word *out = NEW(word, blocks * WORDS);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        double smooth = sin(0.05 * x) * cos(0.04 * y) + 0.5 * sin(0.03 * z + 0.01 * x);
        field[i] = x < 16 && y < 32 ? 0 : (float)(10 * smooth * smooth * smooth + 0.01 * number(i));
    }
    float *dfield = on_device(field, n);
    word *dout = device<word>(blocks * WORDS);
    double best = fastest(args.repeats, [&] { compress<<<ceiling(blocks, THREADS), THREADS>>>(blocks, dfield, dout); });
    to_host(out, dout, blocks * WORDS);
    for (int k = 0; k < blocks * WORDS; k++)
        sum += (double)mix((unsigned)(out[k] ^ out[k] >> 32) + k % WORDS) / 65536;
    report("zfp", best, sum);
    return 0;
}
