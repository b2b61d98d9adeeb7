// A search for a proof of work: SHA-256 twice of a header of 80 bytes that ends in each of 2^20 numbers; a thread a number, all rounds unrolled,
// 16 words of the message in registers, constants in constant memory; minimum and sums by shuffles of the warp and atomics.
#include "kernels.cuh"
#include <cstdint>

constexpr unsigned TARGET = 1u << 20;
__constant__ uint32_t k[64], initial[8], start[8], tail[3];

struct found { unsigned long long sum; unsigned least, below; };

__device__ uint32_t turn(uint32_t x, int by) { return __funnelshift_r(x, x, by); }

__device__ __forceinline__ void compress(uint32_t (&s)[8], uint32_t (&w)[16])
{
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
#pragma unroll
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint32_t x = w[(t - 15) & 15], y = w[(t - 2) & 15];
            w[t & 15] += (turn(x, 7) ^ turn(x, 18) ^ (x >> 3)) + w[(t - 7) & 15] + (turn(y, 17) ^ turn(y, 19) ^ (y >> 10));
        }
        uint32_t t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t & 15];
        uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
}

__global__ void search(int n, found *result)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = ~0u, below = 0, part = 0;
    if (i < n) {
        uint32_t s[8], w[16] = {tail[0], tail[1], tail[2], (uint32_t)i, 0x80000000u};
        w[15] = 640;
#pragma unroll
        for (int j = 0; j < 8; j++)
            s[j] = start[j];
        compress(s, w);
#pragma unroll
        for (int j = 0; j < 8; j++) {
            w[j] = s[j];
            w[8 + j] = 0;
            s[j] = initial[j];
        }
        w[8] = 0x80000000u;
        w[15] = 256;
        compress(s, w);
        word = __byte_perm(s[7], 0, 0x0123);
        below = word < TARGET;
        part = word >> 12;
    }
    // 32 numbers of 20 bits fit in 32
    for (int d = 16; d > 0; d /= 2) {
        part += __shfl_down_sync(~0u, part, d);
        below += __shfl_down_sync(~0u, below, d);
        word = min(word, __shfl_down_sync(~0u, word, d));
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&result->sum, (unsigned long long)part);
        atomicMin(&result->least, word);
        if (below)
            atomicAdd(&result->below, below);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift;
    uint32_t roots[64], squares[8], middle[8], end[3];
    for (int p = 2, m = 0; m < 64; p++) {
        int prime = 1;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        if (m < 8)
            squares[m] = (uint32_t)(uint64_t)ldexp(sqrt(p) - floor(sqrt(p)), 32);
        roots[m++] = (uint32_t)(uint64_t)ldexp(cbrt(p) - floor(cbrt(p)), 32);
    }
    for (int j = 0; j < 8; j++)
        middle[j] = mix(j + 1);
    for (int j = 0; j < 3; j++)
        end[j] = mix(j + 100);
    CHECK(cudaMemcpyToSymbol(k, roots, sizeof roots));
    CHECK(cudaMemcpyToSymbol(initial, squares, sizeof squares));
    CHECK(cudaMemcpyToSymbol(start, middle, sizeof middle));
    CHECK(cudaMemcpyToSymbol(tail, end, sizeof end));
    found none = {0, ~0u, 0}, *from = pinned<found>(), *f = pinned<found>();
    *from = none;
    found *df = device<found>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(df, from, sizeof none, cudaMemcpyHostToDevice));
        search<<<ceiling(n, 256), 256>>>(n, df);
        CHECK(cudaMemcpyAsync(f, df, sizeof none, cudaMemcpyDeviceToHost));
    });
    report("sha", best, f->least + (double)f->below + (double)f->sum);
    return 0;
}
