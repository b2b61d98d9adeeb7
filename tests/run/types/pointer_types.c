// Walking with char, short and struct pointers over the same mapped bytes; void pointers and casts.
// launches: 2
#include <stdio.h>

struct pair {
    short a, b;
};

int main(void)
{
    unsigned words[16];
    unsigned sum[16];
    int shorts[16];
#pragma acc parallel loop copyout(words)
    for (int i = 0; i < 16; i++)
        words[i] = 0x01020304u * (unsigned)(i + 1);
#pragma acc parallel loop copyin(words) copyout(sum, shorts)
    for (int i = 0; i < 16; i++) {
        const void *v = &words[i];
        const unsigned char *c = v;
        sum[i] = 0;
        for (const unsigned char *e = c + 4; c != e; ++c)
            sum[i] += *c;
        const struct pair *p = (const struct pair *)words;
        p += i;
        shorts[i] = p->a - (*p).b;
    }
    for (int i = 0; i < 16; i++)
        printf("%u %d\n", sum[i], shorts[i]);
    return 0;
}
