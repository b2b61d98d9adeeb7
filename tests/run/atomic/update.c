// Atomic updates of integers: every form of the statement, on one object for all iterations.
// launches: 2
#include <stdio.h>

#define N 10000

int main(void)
{
    int up = 0, down = 0, sum = 1, left = 2, right = 3, bits = 0, mask = -1, flip = 5, chain = 7;
    unsigned u = 0;
    long long wide = 0;
#pragma acc parallel loop copy(up, down, sum, left, right, bits, mask, flip, chain, u, wide)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        up++;
#pragma acc atomic update
        ++up;
#pragma acc atomic update
        down--;
#pragma acc atomic update
        --down;
#pragma acc atomic
        sum += i;
#pragma acc atomic
        left = left + i * 2;
#pragma acc atomic
        right = i + right;
#pragma acc atomic
        bits |= 1 << (i % 20);
#pragma acc atomic
        mask &= ~(1 << (i % 7));
#pragma acc atomic
        flip ^= i;
#pragma acc atomic
        chain = chain + i - 3;
#pragma acc atomic
        u -= 3u;
#pragma acc atomic
        wide += i * 1000000LL;
    }
    printf("%d %d %d %d %d %d %d %d %d %u %lld\n", up, down, sum, left, right, bits, mask, flip, chain, u, wide);

    int histogram[8] = {0};
#pragma acc parallel loop copy(histogram) gang vector
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        histogram[(i * 7 + i / 3) % 8] += 1;
    }
    for (int b = 0; b < 8; b++)
        printf("%d ", histogram[b]);
    printf("\n");
    return 0;
}
