// Small tables that loops look up by what they compute: of integers behind a pointer and of floating-point numbers in an array, two of them
// in one loop, in a `while` loop through a function, where another pointer leads to the table by which the loop, or its iteration before or
// behind that, writes it, where an index may be outside, and one
// that is not on the device.
// launches: 9
#include <stdio.h>
#include <stdlib.h>

enum { N = 500, LENGTH = 150 };
static unsigned char data[N * LENGTH];
static unsigned crc[N], table[256];
static float weight[64], sum[N];

static unsigned advance(const unsigned *table, unsigned c, unsigned char byte) { return table[(unsigned char)c ^ byte] ^ (c >> 8); }

static unsigned checksum(const unsigned char *at, size_t bytes, const unsigned *table)
{
    unsigned c = ~0u;
    while (bytes--)
        c = advance(table, c, *at++);
    return ~c;
}

static unsigned total(const char *what)
{
    unsigned all = 0;
    for (int i = 0; i < N; i++)
        all = all * 31 + crc[i];
    printf("%s %u\n", what, all);
    return all;
}

static void pointers(int n, const unsigned char *restrict bytes, const unsigned *restrict t, unsigned *restrict out)
{
#pragma acc parallel loop copyin(bytes[0:n * LENGTH], t[0:256]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        unsigned c = 0xffffffff;
        for (int k = 0; k < LENGTH; k++)
            c = t[(c ^ bytes[i * LENGTH + k]) & 0xff] ^ c >> 8;
        out[i] = ~c;
    }
}

int main(void)
{
    for (int k = 0; k < N * LENGTH; k++)
        data[k] = k * 77 + k / 9;
    for (unsigned k = 0; k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320 : 0);
    }
    for (int k = 0; k < 64; k++)
        weight[k] = k * 0.25f;
    pointers(N, data, table, crc);
    total("pointers");
#pragma acc parallel loop gang vector vector_length(64) copyin(data, table) copyout(crc)
    for (size_t i = 0; i < N; ++i)
        crc[i] = checksum(data + i * LENGTH, LENGTH, table);
    total("functions");
    // Two tables, and a sum over all.
    float all = 0;
#pragma acc parallel loop reduction(+ : all) copyin(data, table, weight) copyout(sum, crc)
    for (int i = 0; i < N; i++) {
        float s = 0;
        unsigned c = i;
        for (int k = 0; k < LENGTH; k++) {
            c = table[(c ^ data[i * LENGTH + k]) & 0xff];
            s += weight[c % 64];
        }
        sum[i] = s;
        crc[i] = c + (unsigned)s;
        all += s;
    }
    total("two");
    printf("%g\n", all);
    // Each thread writes elements of its own, and reads them again in the same loop.
    unsigned *own = malloc(256 * sizeof *own);
    for (int k = 0; k < 256; k++)
        own[k] = k * 3;
    unsigned *again = own;
#pragma acc data copy(own[0:256])
#pragma acc parallel loop present(own[0:256], again[0:256]) copyin(data) copyout(crc[0:256])
    for (int i = 0; i < 256; i++) {
        unsigned c = 1;
        for (int k = 0; k < LENGTH; k++) {
            again[i] += c;
            c = c * 5 + own[(i ^ (data[k] & 0)) & 255];
        }
        crc[i] = c;
    }
    for (int i = 256; i < N; i++)
        crc[i] = own[i % 256];
    total("written in the loop");
    // The first iteration of each thread's loop reads what the iteration has written.
#pragma acc data copy(own[0:256])
#pragma acc parallel loop present(own[0:256], again[0:256]) copyin(data) copyout(crc[0:256])
    for (int i = 0; i < 256; i++) {
        again[i] = i * 7;
        unsigned c = 0;
        for (int k = 0; k < LENGTH; k++)
            c += own[(i ^ (data[(c + k) % 100] & 0)) & 255] + k;
        crc[i] = c;
    }
    total("written before");
    // Written behind, by the iteration that read it alone.
#pragma acc data copy(own[0:256])
#pragma acc parallel loop present(own[0:256], again[0:256]) copyin(data) copyout(crc[0:256])
    for (int i = 0; i < 256; i++) {
        unsigned c = 0;
        for (int k = 0; k < LENGTH; k++)
            c += own[(i ^ (data[(c + k) % 100] & 0)) & 255] + k;
        again[i] = crc[i] = c;
    }
    for (int i = 0; i < 256; i++)
        crc[i] += own[i];
    total("written behind");
    // An index that a clause's section does not say to be inside.
    unsigned *large = malloc(1024 * sizeof *large);
    for (int k = 0; k < 1024; k++)
        large[k] = k * 11;
#pragma acc data copyin(large[0:1024])
#pragma acc parallel loop present(large[0:512]) copyin(data) copyout(crc)
    for (int i = 0; i < N; i++) {
        unsigned c = i;
        for (int k = 0; k < LENGTH; k++)
            c = large[(c + data[i * LENGTH + k]) & 1023];
        crc[i] = c;
    }
    total("larger");
    // Tables that may not be on the device, or nowhere, and are not looked at then.
    int use = 0;
    const float *none = 0;
#pragma acc parallel loop copyin(data, none[0:64]) copyout(crc)
    for (int i = 0; i < N; i++) {
        unsigned c = i;
        if (none)
            for (int k = 0; k < LENGTH; k++)
                c += (unsigned)none[(c + data[i * LENGTH + k]) & 63];
        crc[i] = c;
    }
    total("none");
#pragma acc parallel loop copyin(data, use) no_create(weight) copyout(sum)
    for (int i = 0; i < N; i++) {
        float s = i;
        unsigned c = i;
        if (use)
            for (int k = 0; k < LENGTH; k++) {
                c = c * 5 + data[i * LENGTH + k];
                s += weight[c % 64];
            }
        sum[i] = s;
    }
    float numbers = 0;
    for (int i = 0; i < N; i++)
        numbers += sum[i];
    printf("%g\n", numbers);
    free(large);
    free(own);
    return 0;
}
