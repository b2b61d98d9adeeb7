// MD5 digests of 2^20 words of seven letters, as a search for a password does it: a thread a word, the exclusive or of a block in its warps.
#include "kernels.cuh"

#define TABLE                                                                                                                        \
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af,          \
        0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,      \
        0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,      \
        0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,      \
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97,      \
        0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,      \
        0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391

__global__ void digests(int n, unsigned *out)
{
    constexpr unsigned sines[64] = {TABLE};
    constexpr int turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r[4] = {0};
    if (w < n) {
        unsigned m[16] = {0}, left = w, a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll
        for (int k = 0; k < 7; k++) {
            m[k / 4] |= ('a' + left % 26) << k % 4 * 8;
            left /= 26;
        }
        m[1] |= 0x80u << 24;
        m[14] = 56;
#pragma unroll
        for (int k = 0; k < 64; k++) {
            unsigned f = k < 16 ? (b & c) | (~b & d) : k < 32 ? (d & b) | (~d & c) : k < 48 ? b ^ c ^ d : c ^ (b | ~d);
            int g = k < 16 ? k : k < 32 ? (5 * k + 1) % 16 : k < 48 ? (3 * k + 5) % 16 : 7 * k % 16;
            f += a + sines[k] + m[g];
            a = d;
            d = c;
            c = b;
            b += __funnelshift_l(f, f, turns[k / 16 * 4 + k % 4]);
        }
        r[0] = a + 0x67452301;
        r[1] = b + 0xefcdab89;
        r[2] = c + 0x98badcfe;
        r[3] = d + 0x10325476;
    }
    for (int k = 0; k < 4; k++) {
        for (int d = 16; d > 0; d /= 2)
            r[k] ^= __shfl_down_sync(0xffffffff, r[k], d);
        if (threadIdx.x % 32 == 0)
            atomicXor(&out[k], r[k]);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift;
    unsigned out[4], *dout = device<unsigned>(4);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dout, 0, sizeof out));
        digests<<<ceiling(n, 256), 256>>>(n, dout);
        CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    });
    report("md5", best, out[0] + 3.0 * out[1] + 5.0 * out[2] + 7.0 * out[3]);
    return 0;
}
