// Checksums of 16384 packets of 1500 bytes by CRC-32 with a table of 256 entries.
#include "../kernels.h"

enum { PACKETS = 1 << 14, BYTES = 1500 };

#if SPELLING == 1
static void checksums(int n, const unsigned char *restrict data, const unsigned *restrict table, unsigned *restrict crc)
{
#pragma acc parallel loop present(data[0:n * BYTES], table[0:256], crc[0:n])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        unsigned c = 0xffffffff;
        for (int k = 0; k < BYTES; k++)
            c = table[(c ^ data[p * BYTES + k]) & 0xff] ^ c >> 8;
        crc[p] = ~c;
    }
}
#else
static inline unsigned advance(const unsigned *table, unsigned c, unsigned char byte) { return table[(unsigned char)c ^ byte] ^ (c >> 8); }

static unsigned checksum(const unsigned char *at, size_t bytes, const unsigned *table)
{
    unsigned c = ~0u;
    while (bytes--)
        c = advance(table, c, *at++);
    return ~c;
}

static void checksums(size_t n, unsigned char *data, unsigned *table, unsigned *crc)
{
#pragma acc parallel loop gang vector vector_length(64) present(data[0:n * BYTES], table[0:256], crc[0:n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p)
        crc[p] = checksum(data + p * BYTES, BYTES, table);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PACKETS >> args.shift;
    unsigned char *data = NEW(unsigned char, (size_t)n *BYTES);
    unsigned table[256], *crc = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < n * BYTES; k++)
        data[k] = mix(k);
    for (unsigned k = 0; k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320 : 0);
    }
#pragma acc enter data copyin(data[0:n * BYTES], table[0:256]) create(crc[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        checksums(n, data, table, crc);
#pragma acc update self(crc[0:n])
    SUM(sum, crc, n);
    report("crc", t.best, sum);
    return 0;
}
