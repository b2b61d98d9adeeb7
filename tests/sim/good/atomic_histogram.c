// `race/missing_atomic` as it should be.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int key[1000], count[16] = {0};
    for (int i = 0; i < 1000; i++)
        key[i] = i * i % 16;
#pragma acc parallel loop copyin(key) copy(count)
    for (int i = 0; i < 1000; i++) {
#pragma acc atomic update
        count[key[i]]++;
    }
    printf("%d %d\n", count[1], count[4]);
}
