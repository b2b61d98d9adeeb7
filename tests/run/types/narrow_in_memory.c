// Narrow integers that are loaded to be extended, and cut to be stored: signed, unsigned, both, as indices, as floating-point numbers,
// in packed structs, and where the same element is used in two ways.
#include <stdint.h>
#include <stdio.h>

enum { N = 256 };

struct __attribute__((packed)) odd {
    uint8_t one;
    uint16_t two;
    int16_t three;
};

static uint8_t bytes[N], byte_sums[N];
static int8_t small[N], small_sums[N];
static uint16_t shorts[N], short_sums[N];
static struct odd odd[N];
static int table[N], results[8][N];
static long wide[N];
static double numbers[2][N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        bytes[i] = 251 * i + 7;
        small[i] = 177 * i;
        shorts[i] = 40503 * i + 9;
        odd[i] = (struct odd){3 * i, 9001 * i, -7013 * i};
        table[i] = i * i - 900;
    }
#pragma acc parallel loop copyin(bytes, small, shorts, odd, table) copy(byte_sums, small_sums, short_sums, results, wide, numbers)
    for (int i = 0; i < N; i++) {
        int next = (i + 1) % N;
        byte_sums[i] = bytes[i] + bytes[next];
        small_sums[i] = small[i] - 3 * bytes[next];
        short_sums[i] = shorts[i] * shorts[next];
        results[0][i] = bytes[i] - bytes[next] / 3;
        results[1][i] = table[bytes[i]] + table[(unsigned char)small[i]];
        results[2][i] = shorts[i] > shorts[next] ? shorts[i] >> 3 : -shorts[next];
        // The same element by its sign and without.
        results[3][i] = (int8_t)bytes[i] + bytes[i] + (uint8_t)small[next] - small[next];
        results[4][i] = odd[i].one + odd[i].two - odd[i].three;
        results[5][i] = (bytes[i] & 0x80) != 0 ? bytes[i] ^ 0x55 : bytes[i] % 10;
        unsigned left = bytes[i];
        while (left > 15)
            left = left * 5 >> 3;
        results[6][i] = (int)left;
        results[7][i] = (int16_t)shorts[i] + (int16_t)(shorts[i] - 1000);
        wide[i] = (long)bytes[i] << 40 | shorts[i];
        numbers[0][i] = bytes[i] / 4.0 + (float)shorts[i];
        numbers[1][i] = small[i];
        odd[i].one = odd[i].two + 1;
    }
    for (int v = 0; v < 8; v++) {
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += (long)results[v][i] * (1 + i % 11);
        printf("%d %ld\n", v, sum);
    }
    long sums[4] = {0};
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sums[0] += byte_sums[i] * (1 + i % 5);
        sums[1] += small_sums[i] * (1 + i % 5);
        sums[2] += short_sums[i] * (1 + i % 5);
        sums[3] ^= wide[i] * (i + 1);
        sum += numbers[0][i] - numbers[1][i] * (i % 3);
    }
    printf("%ld %ld %ld %ld %.4f\n", sums[0], sums[1], sums[2], sums[3], sum);
    return 0;
}
