// Nests that access arrays along the columns, in three types of index: their blocks have fewer columns and more rows. With numbers of
// rows and columns that do not fill blocks of any shape.
#include <stdio.h>
#include <stdlib.h>

#define NESTS "transposed.h"
#include "indices.h"

int main(void)
{
    all_int(1, 1);
    all_int(200, 200);
    all_int(33, 129);
    all_unsigned(5, 190);
    all_unsigned(190, 5);
    all_size(64, 96);
    all_size(127, 7);
    return 0;
}
