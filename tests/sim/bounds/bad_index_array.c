// An index array with a wrong index in it.
// finds: out of bounds: read of 4 bytes
// finds: 80 bytes past the end of 'value' (400 bytes), element 120
#include <stdio.h>

int main(void)
{
    int index[100], value[100], picked[100];
    for (int i = 0; i < 100; i++) {
        index[i] = 99 - i;
        value[i] = i * i;
    }
    index[40] = 120;
#pragma acc parallel loop copyin(index, value) copyout(picked)
    for (int i = 0; i < 100; i++)
        picked[i] = value[index[i]]; // found here
    printf("%d\n", picked[0]);
}
