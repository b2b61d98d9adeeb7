// An assertion that does not hold.
// finds: assertion
// finds: value[i] > 0
// finds: in function `int main(
// status: 134
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int value[20];
    for (int i = 0; i < 20; i++)
        value[i] = 19 - i;
#pragma acc parallel loop copy(value)
    for (int i = 0; i < 20; i++) {
        assert(value[i] > 0); // found here
        value[i] = 100 / value[i];
    }
    printf("%d\n", value[3]);
}
