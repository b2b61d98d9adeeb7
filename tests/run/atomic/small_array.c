// Small arrays that a loop updates atomically, also together with other accesses that forbid a copy of the array.
#include <stdio.h>

#define N 5000

static int key[N];

int main(void)
{
    int count[37] = {0}, mixed[8] = {0}, first = 0;
    unsigned long long weight[16] = {0};
    unsigned bits[10] = {0}, parity[10] = {0};
    double sum[12];
    for (int i = 0; i < N; i++)
        key[i] = (i * 7919 + i / 3) % 1009;
    for (int k = 0; k < 12; k++)
        sum[k] = k * 0.5;

#pragma acc parallel loop copyin(key) copy(count)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        count[key[i] % 37]++;
    }

    /* Several arrays in one loop, several updates of one array. */
#pragma acc parallel loop gang vector vector_length(64) copyin(key) copy(weight, sum, bits, parity)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        weight[key[i] & 15] += (unsigned long long)key[i] << 20;
#pragma acc atomic update
        weight[(key[i] + 1) & 15] -= 3;
#pragma acc atomic update
        sum[key[i] % 12] += 0.25 * (key[i] % 8);
#pragma acc atomic update
        bits[key[i] % 10] |= 1u << (key[i] % 31);
#pragma acc atomic update
        parity[key[i] % 10] ^= 1u << (key[i] % 29);
    }

    /* The value is looked at, or the array is used elsewhere in the region: no copies. */
#pragma acc parallel loop copyin(key) copy(mixed) reduction(+:first)
    for (int i = 0; i < N; i++) {
        int before;
#pragma acc atomic capture
        before = mixed[key[i] & 7]++;
        first += before == 0;
    }

    for (int k = 0; k < 37; k++)
        printf("%d ", count[k]);
    printf("\n");
    for (int k = 0; k < 16; k++)
        printf("%llu ", weight[k]);
    printf("\n");
    for (int k = 0; k < 12; k++)
        printf("%g ", sum[k]);
    printf("\n");
    for (int k = 0; k < 10; k++)
        printf("%x %x ", bits[k], parity[k]);
    printf("\n");
    for (int k = 0; k < 8; k++)
        printf("%d ", mixed[k]);
    printf("%d\n", first);
    return 0;
}
