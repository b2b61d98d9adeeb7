// Structs are copied with their padding, and bit-fields are written one after another, and nobody uses what was never written.
// finds: nothing

#include <stdio.h>

struct item {
    double weight;
    int count;
    char kind;
};

struct flags {
    unsigned low : 17, high : 9;
    short rest;
};

static struct item weigh(double weight, int count)
{
    struct item item;

    item.weight = weight;
    item.count = count;
    item.kind = 'x';
    return item;
}

int main(void)
{
    struct item items[100];
    unsigned lows[100];
    double sum = 0;

#pragma acc parallel loop copyout(items, lows) reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        struct item item = weigh(0.5 * i, i);
        struct item other;
        struct flags flags, copy;

        other = item;
        flags.low = 3 * i;
        flags.high = i;
        copy = flags;
        items[i] = other;
        lows[i] = copy.low + copy.high;
        sum += other.weight * other.count;
    }
    printf("%g %g %d %c %u\n", sum, items[7].weight, items[8].count, items[9].kind, lows[50]);
    return 0;
}
