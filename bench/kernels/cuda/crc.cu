// Checksums of 16384 packets of 1500 bytes by CRC-32; a thread a packet, the table in shared memory.
#include "kernels.cuh"

constexpr int BYTES = 1500;

__global__ void checksums(int n, const unsigned char *__restrict__ data, const unsigned *__restrict__ table, unsigned *__restrict__ crc)
{
    __shared__ unsigned own[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        own[k] = table[k];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    unsigned c = 0xffffffff;
    for (int k = 0; k < BYTES; k++)
        c = own[(c ^ data[p * BYTES + k]) & 0xff] ^ c >> 8;
    crc[p] = ~c;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 14) >> args.shift;
    unsigned char *data = NEW(unsigned char, (size_t)n * BYTES);
    unsigned table[256], *crc = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < n * BYTES; k++)
        data[k] = mix(k);
    for (unsigned k = 0; k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320 : 0);
    }
    unsigned char *ddata = on_device(data, (size_t)n * BYTES);
    unsigned *dtable = on_device(table, 256), *dcrc = device<unsigned>(n);
    double best = fastest(args.repeats, [&] { checksums<<<ceiling(n, 64), 64>>>(n, ddata, dtable, dcrc); });
    to_host(crc, dcrc, n);
    SUM(sum, crc, n);
    report("crc", best, sum);
    return 0;
}
