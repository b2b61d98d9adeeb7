// An assertion in a function that kernels call: the message has the function and the assertion's own line.
// finds: assertion `x % 2 == 0 && "even"` failed in function `int half(int)`
// finds: by gang 0, worker 0, lane 33
// status: 134
#include <assert.h>
#include <stdio.h>

static int half(int x)
{
    assert(x % 2 == 0 && "even"); // found here
    return x / 2;
}

int main(void)
{
    int value[40];
    for (int i = 0; i < 40; i++)
        value[i] = i == 33 ? 7 : 2 * i;
#pragma acc parallel loop copy(value) vector_length(64)
    for (int i = 0; i < 40; i++)
        value[i] = half(value[i]);
    printf("%d\n", value[3]);
}
