// The mixing of scrypt (ROMix, r = 1) for 2^15 passwords: four lanes share a password and have a diagonal of
// Salsa's square each, so that a turn of the lanes makes columns of rows; a lane stores 16 bytes at once, in any
// fixed order.
#include "kernels.cuh"

constexpr int JOBS = 1 << 15, DEPTH = 256, WORDS = 32, THREADS = 128;

__device__ unsigned rotate(unsigned a, int by) { return __funnelshift_l(a, a, by); }

__device__ unsigned from(unsigned a, int lane) { return __shfl_sync(0xffffffff, a, lane, 4); }

__device__ uint4 operator^(uint4 a, uint4 b) { return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w); }

__device__ uint4 salsa(uint4 to, uint4 with, int lane)
{
    to = to ^ with;
    uint4 x = to;
#pragma unroll
    for (int round = 0; round < 4; round++) {
        x.y ^= rotate(x.x + x.w, 7);
        x.z ^= rotate(x.y + x.x, 9);
        x.w ^= rotate(x.z + x.y, 13);
        x.x ^= rotate(x.w + x.z, 18);
        unsigned b = from(x.w, lane + 1), c = from(x.z, lane + 2), d = from(x.y, lane + 3);
        b ^= rotate(x.x + d, 7);
        c ^= rotate(b + x.x, 9);
        d ^= rotate(c + b, 13);
        x.x ^= rotate(d + c, 18);
        x.y = from(d, lane + 1);
        x.z = from(c, lane + 2);
        x.w = from(b, lane + 3);
    }
    return make_uint4(to.x + x.x, to.y + x.y, to.z + x.z, to.w + x.w);
}

__global__ void __launch_bounds__(THREADS)
romix(int jobs, const unsigned *__restrict__ in, uint4 *__restrict__ v, unsigned *__restrict__ out)
{
    int lane = threadIdx.x % 4, job = (blockIdx.x * THREADS + threadIdx.x) / 4, word[4];
    bool there = job < jobs;
    if (!there)
        job = jobs - 1;
    v += (size_t)job * DEPTH * 8 + lane;
    for (int k = 0; k < 4; k++)
        word[k] = (5 * lane + 4 * k) % 16;
    auto load = [&](int half) {
        const unsigned *at = in + half * 16 * jobs + job;
        return make_uint4(at[word[0] * jobs], at[word[1] * jobs], at[word[2] * jobs], at[word[3] * jobs]);
    };
    uint4 low = load(0), high = load(1);
    for (int i = 0; i < DEPTH; i++) {
        if (there) {
            v[i * 8] = low;
            v[i * 8 + 4] = high;
        }
        low = salsa(low, high, lane);
        high = salsa(high, low, lane);
    }
    __syncwarp();
    for (int i = 0; i < DEPTH; i++) {
        int j = from(high.x, 0) % DEPTH;
        low = low ^ v[j * 8];
        high = high ^ v[j * 8 + 4];
        low = salsa(low, high, lane);
        high = salsa(high, low, lane);
    }
    if (!there)
        return;
    auto store = [&](int half, uint4 x) {
        unsigned *at = out + half * 16 * jobs + job;
        at[word[0] * jobs] = x.x;
        at[word[1] * jobs] = x.y;
        at[word[2] * jobs] = x.z;
        at[word[3] * jobs] = x.w;
    };
    store(0, low);
    store(1, high);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int jobs = JOBS >> args.shift;
    unsigned *in = NEW(unsigned, jobs * WORDS), *out = NEW(unsigned, jobs * WORDS);
    double sum = 0;
    for (int k = 0; k < jobs * WORDS; k++)
        in[k] = mix(k);
    unsigned *din = on_device(in, jobs * WORDS), *dout = device<unsigned>(jobs * WORDS);
    uint4 *dv = device<uint4>((size_t)jobs * DEPTH * 8);
    double best =
        fastest(args.repeats, [&] { romix<<<ceiling(4L * jobs, THREADS), THREADS>>>(jobs, din, dv, dout); });
    to_host(out, dout, jobs * WORDS);
    for (int k = 0; k < jobs * WORDS; k++)
        sum += (double)out[k] * (1 + k % 5);
    report("scrypt", best, sum);
    return 0;
}
