// The access is in a function that the region calls and that is inlined: the message names its line.
// finds: out of bounds: read of 4 bytes
// finds: 'table'
// finds: in function main
#include <stdio.h>

#pragma acc routine seq
static int look_up(const int *table, int key)
{
    int at = 0;
    if (key < 0)
        return -1;
    while (table[at] != key) // found here
        at++;
    return at;
}

int main(void)
{
    int table[16], place[20];
    for (int i = 0; i < 16; i++)
        table[i] = 3 * i;
#pragma acc parallel loop copyin(table) copyout(place)
    for (int i = 0; i < 20; i++)
        place[i] = look_up(table, 3 * i);
    printf("%d\n", place[3]);
}
