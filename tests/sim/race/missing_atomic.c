// A histogram without `atomic update`.
// finds: race
// finds: of 'count'
#include <stdio.h>

int main(void)
{
    int key[1000], count[16] = {0};
    for (int i = 0; i < 1000; i++)
        key[i] = i * i % 16;
#pragma acc parallel loop copyin(key) copy(count)
    for (int i = 0; i < 1000; i++)
        count[key[i]]++; // found here
    printf("%d\n", count[1]);
}
