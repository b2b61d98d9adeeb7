// All that the host reads is up to date, as it was brought back, written by the host itself, never written on the device, a
// neighbour in memory, or no longer on the device.
// finds: nothing
// cflags: -g -fsanitize=thread

#include <stdio.h>
#include <string.h>

struct pair {
    int left, right;
};

static struct pair pairs[50];

int main(void)
{
    int before = 1, a[10], behind = 2, b[10], sum = 0;

    for (int i = 0; i < 10; i++)
        a[i] = b[i] = i;
    for (int i = 0; i < 50; i++)
        pairs[i] = (struct pair){i, -i};

#pragma acc data copyin(a, b) copy(pairs)
    {
#pragma acc parallel loop copy(sum) reduction(+ : sum)
        for (int i = 0; i < 10; i++) {
            a[i] = 2 * b[i];
            sum += b[i];
        }
        printf("%d %d %d %d\n", before, behind, sum, b[3]);
#pragma acc update self(a[2:3])
        printf("%d %d\n", a[2], a[4]);
        memset(a, 0, sizeof a);
        a[9] = 1;
        printf("%d\n", a[9]);
#pragma acc parallel loop
        for (int i = 0; i < 50; i++)
            pairs[i].left = 7;
        printf("%d\n", pairs[3].right);
#pragma acc update self(pairs[4:1])
        printf("%d %d\n", pairs[4].left, pairs[4].right);
    }
    printf("%d %d\n", a[9], pairs[49].left);
    return 0;
}
