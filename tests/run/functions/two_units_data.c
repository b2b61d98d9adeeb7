// Data mapped in one unit is present in a region of another.
// with: two_units_data_other.part.c
// launches: 2
#include <stdio.h>

extern int shared_table[16];
void twice(int *a, int n);

int main(void)
{
    for (int i = 0; i < 16; i++)
        shared_table[i] = i;
#pragma acc data copy(shared_table)
    {
        twice(shared_table, 16);
        twice(shared_table + 4, 4);
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", shared_table[i]);
    printf("\n");
    return 0;
}
