// Both (i, j) and (j, i) exchange the same pair.
// finds: race
// finds: of 'm'
#include <stdio.h>

int main(void)
{
    int m[24][24] = {{0}};
#pragma acc parallel loop collapse(2) copy(m)
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) {
            int kept = m[i][j]; // found here
            m[i][j] = m[j][i]; // found here
            m[j][i] = kept; // found here
        }
    printf("%d\n", m[3][4]);
}
