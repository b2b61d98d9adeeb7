// PNG: a signature, then chunks (length, type, data, CRC-32). The pixels lie in one zlib stream (IDAT) whose blocks are
// "stored", so no compressor is needed: RFC 1950 (zlib), RFC 1951 section 3.2.4 (stored blocks), PNG specification.

#include "png.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

struct buffer {
    byte *data;
    size_t length;
};

static void put32(struct buffer *b, unsigned v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        b->data[b->length++] = (byte)(v >> shift);
}

static void put(struct buffer *b, const void *data, size_t length)
{
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

static unsigned crc32(const byte *data, size_t length)
{
    unsigned crc = ~0u;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static unsigned adler32(const byte *data, size_t length)
{
    unsigned a = 1, b = 0;
    for (size_t i = 0; i < length; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void chunk(struct buffer *b, const char *type, const byte *data, size_t length)
{
    put32(b, (unsigned)length);
    size_t from = b->length;
    put(b, type, 4);
    put(b, data, length);
    put32(b, crc32(b->data + from, b->length - from));
}

static void stored_zlib(struct buffer *z, const byte *raw, size_t length)
{
    const size_t block = 65535;
    put(z, "\x78\x01", 2);
    for (size_t at = 0; at < length; at += block) {
        size_t n = length - at < block ? length - at : block;
        byte head[5] = {at + n == length, (byte)n, (byte)(n >> 8), (byte)~n, (byte)(~n >> 8)};
        put(z, head, 5);
        put(z, raw + at, n);
    }
    put32(z, adler32(raw, length));
}

// Black, blue, red, yellow, white.
static void palette(byte rgb[256 * 3])
{
    static const byte stop[5][3] = {{8, 8, 40}, {40, 60, 190}, {215, 40, 50}, {250, 200, 40}, {255, 255, 240}};
    for (int v = 0; v < 256; v++) {
        int k = v / 64, f = v % 64;
        for (int c = 0; c < 3; c++)
            rgb[3 * v + c] = (byte)((stop[k][c] * (64 - f) + stop[k + 1][c] * f) / 64);
    }
}

int png_write(const char *file, int width, int height, const byte *pixels)
{
    size_t row = (size_t)width + 1, raw_size = row * (size_t)height;
    size_t z_size = raw_size + raw_size / 65535 * 5 + 64;
    byte *raw = malloc(raw_size);
    struct buffer z = {malloc(z_size), 0}, out = {malloc(z_size + 2048), 0};
    int ok = raw && z.data && out.data;
    if (ok) {
        for (int y = 0; y < height; y++) {
            raw[(size_t)y * row] = 0; // filter: none
            memcpy(raw + (size_t)y * row + 1, pixels + (size_t)y * (size_t)width, (size_t)width);
        }
        byte colours[256 * 3], header[13];
        struct buffer h = {header, 0};
        put32(&h, (unsigned)width);
        put32(&h, (unsigned)height);
        put(&h, "\x08\x03\x00\x00\x00", 5); // 8 bits, palette, deflate, no filters, not interlaced
        palette(colours);
        stored_zlib(&z, raw, raw_size);
        put(&out, "\x89PNG\r\n\x1a\n", 8);
        chunk(&out, "IHDR", header, sizeof header);
        chunk(&out, "PLTE", colours, sizeof colours);
        chunk(&out, "IDAT", z.data, z.length);
        chunk(&out, "IEND", header, 0);
        FILE *f = fopen(file, "wb");
        ok = f && fwrite(out.data, 1, out.length, f) == out.length;
        ok = f && fclose(f) == 0 && ok;
    }
    free(raw);
    free(z.data);
    free(out.data);
    return ok;
}
