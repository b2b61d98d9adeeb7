// Four blocks of parity for ten blocks of 2^23 bytes by a Reed-Solomon code over the field of 256 elements: products by tables of
// logarithms and powers, sums by exclusive or.
#include "../kernels.h"

enum { LENGTH = 1 << 23, DATA = 10, PARITY = 4 };

#if SPELLING == 1
static void encode(int n, const unsigned char *restrict data, const unsigned char *restrict factor, const unsigned char *restrict logarithm,
                   const unsigned char *restrict power, unsigned char *restrict parity)
{
#pragma acc parallel loop present(data[0:DATA * n], factor[0:PARITY * DATA], logarithm[0:256], power[0:512], parity[0:PARITY * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned char sum[PARITY] = {0};
        for (int d = 0; d < DATA; d++) {
            unsigned char byte = data[d * n + i];
            if (byte != 0)
                for (int p = 0; p < PARITY; p++)
                    sum[p] ^= power[logarithm[byte] + factor[p * DATA + d]];
        }
        for (int p = 0; p < PARITY; p++)
            parity[p * n + i] = sum[p];
    }
}
#else
typedef unsigned char byte;

struct field { byte logarithm[256], power[512]; };

static inline byte times(const struct field *f, byte a, byte log_b) { return a ? f->power[(unsigned)f->logarithm[a] + log_b] : 0; }

// The blocks are apart from each other, as files are.
static void encode(size_t n, byte *const data[DATA], byte (*factor)[DATA], struct field *field, byte *const parity[PARITY])
{
    byte *d0 = data[0], *d1 = data[1], *d2 = data[2], *d3 = data[3], *d4 = data[4], *d5 = data[5], *d6 = data[6], *d7 = data[7],
         *d8 = data[8], *d9 = data[9];
    byte *p0 = parity[0], *p1 = parity[1], *p2 = parity[2], *p3 = parity[3];
#pragma acc kernels present(d0[0:n], d1[0:n], d2[0:n], d3[0:n], d4[0:n], d5[0:n], d6[0:n], d7[0:n], d8[0:n], d9[0:n]) \
    present(p0[0:n], p1[0:n], p2[0:n], p3[0:n], factor[0:PARITY], field[0:1])
#pragma acc loop independent gang vector
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        const byte word[DATA] = {d0[i], d1[i], d2[i], d3[i], d4[i], d5[i], d6[i], d7[i], d8[i], d9[i]};
        byte sum[PARITY];
        for (size_t p = 0; p < PARITY; ++p) {
            byte s = 0;
            for (size_t d = 0; d < DATA; ++d)
                s ^= times(field, word[d], factor[p][d]);
            sum[p] = s;
        }
        p0[i] = sum[0], p1[i] = sum[1], p2[i] = sum[2], p3[i] = sum[3];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LENGTH >> args.shift, all = DATA * n, made = PARITY * n;
    unsigned char *data = NEW(unsigned char, all), *parity = NEW(unsigned char, made), *factor = NEW(unsigned char, PARITY *DATA);
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
    // Logarithms: 2 to the power of p d.
    for (int p = 0; p < PARITY; p++)
        for (int d = 0; d < DATA; d++)
            factor[p * DATA + d] = p * d % 255;
#pragma acc enter data copyin(data[0:all], factor[0:PARITY * DATA], tables[0:256 + 512]) create(parity[0:made])
#if SPELLING == 2
    unsigned char *from[DATA], *to[PARITY];
    for (int d = 0; d < DATA; d++)
        from[d] = data + d * n;
    for (int p = 0; p < PARITY; p++)
        to[p] = parity + p * n;
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        encode(n, data, factor, logarithm, power, parity);
#else
        encode(n, from, (byte(*)[DATA])factor, (struct field *)tables, to);
#endif
    }
#pragma acc update self(parity[0:made])
    for (int k = 0; k < made; k++)
        sum += parity[k] * (1 + k % 7);
    report("erasure", t.best, sum);
    return 0;
}
