// A constant array may be in memory that cannot be written: nothing copies it back, also where a pointer to it is kept.
#include <stdio.h>

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const struct {
    double scale;
    short shift[2];
} how = {2.0, {7, 8}};

static int sum(const int *from, int count)
{
    int total = 0;
    for (const int *end = from + count; from != end; from++)
        total += *from;
    return total;
}

int main(void)
{
    static const long powers[2][2] = {{1, 10}, {100, 1000}};
    const unsigned char mask[4] = {1, 2, 4, 8};
    int r[16];
    #pragma acc parallel loop
    for (int i = 0; i < 16; i++) {
        const int *p = table + i % 4;
        const short *q = i & 1 ? how.shift : &how.shift[1];
        const unsigned char *bytes = (const unsigned char *)table;
        const long *row = powers[i / 8];
        const unsigned char *m = mask;
        m += i % 4;
        p++;
        r[i] = p[1] * *q + bytes[4 * (i % 8)] + (int)row[i & 1] * *m + sum(p, 2) * (int)how.scale;
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", r[i]);
    printf("\n");
}
