// Four blocks of parity for ten blocks of 2^23 bytes by a Reed-Solomon code over the field of 256 elements: a thread for four bytes of each
// block, the tables of logarithms and powers in shared memory.
#include "kernels.cuh"

constexpr int LENGTH = 1 << 23, DATA = 10, PARITY = 4, BLOCK = 256;

__constant__ unsigned char factors[PARITY][DATA];

__global__ void encode(int words, const uchar4 *__restrict__ data, const unsigned char *__restrict__ tables, uchar4 *__restrict__ parity)
{
    __shared__ unsigned char logarithm[256], power[512];
    for (int k = threadIdx.x; k < 256; k += BLOCK)
        logarithm[k] = tables[k];
    for (int k = threadIdx.x; k < 512; k += BLOCK)
        power[k] = tables[256 + k];
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= words)
        return;
    unsigned char sum[PARITY][4] = {};
#pragma unroll
    for (int d = 0; d < DATA; d++) {
        uchar4 v = data[(size_t)d * words + i];
        unsigned char bytes[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int b = 0; b < 4; b++)
            if (bytes[b] != 0) {
                int l = logarithm[bytes[b]];
#pragma unroll
                for (int p = 0; p < PARITY; p++)
                    sum[p][b] ^= power[l + factors[p][d]];
            }
    }
#pragma unroll
    for (int p = 0; p < PARITY; p++)
        parity[(size_t)p * words + i] = make_uchar4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LENGTH >> args.shift, all = DATA * n, made = PARITY * n;
    unsigned char *data = NEW(unsigned char, all), *parity = NEW(unsigned char, made), factor[PARITY][DATA];
    unsigned char *tables = NEW(unsigned char, 256 + 512), *logarithm = tables, *power = tables + 256;
    double sum = 0;
    for (int k = 0; k < all; k++)
        data[k] = mix(k) >> 8;
    logarithm[0] = 0;
    for (int k = 0, x = 1; k < 255; k++) {
        power[k] = power[k + 255] = x;
        logarithm[x] = k;
        x = x & 128 ? x << 1 ^ 0x11d : x << 1;
    }
    power[510] = power[511] = 0;
    for (int p = 0; p < PARITY; p++)
        for (int d = 0; d < DATA; d++)
            factor[p][d] = p * d % 255;
    unsigned char *ddata = on_device(data, all), *dtables = on_device(tables, 256 + 512), *dparity = device<unsigned char>(made);
    CHECK(cudaMemcpyToSymbol(factors, factor, sizeof factor));
    int words = n / 4;
    double best = fastest(args.repeats, [&] {
        encode<<<ceiling(words, BLOCK), BLOCK>>>(words, (const uchar4 *)ddata, dtables, (uchar4 *)dparity);
    });
    to_host(parity, dparity, made);
    for (int k = 0; k < made; k++)
        sum += parity[k] * (1 + k % 7);
    report("erasure", best, sum);
    return 0;
}
