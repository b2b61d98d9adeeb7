// The race is in a function that the region calls.
// finds: race
// finds: of 'bin'
// finds: in function main
#include <stdio.h>

#pragma acc routine seq
static void count(int *bin, int key)
{
    if (key < 0)
        return;
    bin[key & 3] += 1; // found here
}

int main(void)
{
    int bin[4] = {0};
#pragma acc parallel loop copy(bin)
    for (int i = 0; i < 400; i++)
        count(bin, i);
    printf("%d\n", bin[0]);
}
