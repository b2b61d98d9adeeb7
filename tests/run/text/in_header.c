// Regions and data directives inside a header, in a function and as a piece of one.
// launches: 3
#include <stdio.h>
#include "in_header.h"

int main(void)
{
    int a[8];
    header_fill(a, 8);
    for (int t = 0; t < 2; t++) {
#include "in_header_piece.h"
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
