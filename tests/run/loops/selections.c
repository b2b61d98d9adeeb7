// Loops that look for the best element by its index, in three types of index, and along pointers to structs.
// launches: 13
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

enum { N = 40, M = 35 };

#define I int
#define SUFFIX int
#include "selections.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "selections.h"
#undef I
#undef SUFFIX
#define I long
#define SUFFIX long
#include "selections.h"

struct particle {
    float distance;
    int number;
};

int main(void)
{
    all_int();
    all_size();
    all_long();

    static struct particle all[N * M];
    int nearest[N];
    for (int k = 0; k < N * M; k++)
        all[k] = (struct particle){(k * 31 + 7) % 53, k};
#pragma acc parallel loop copyin(all) copyout(nearest)
    for (int i = 0; i < N; i++) {
        const struct particle *best = &all[i * M];
        for (const struct particle *p = best; p < &all[(i + 1) * M]; p++)
            if (p->distance < best->distance)
                best = p;
        nearest[i] = best->number;
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (long)nearest[i] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
