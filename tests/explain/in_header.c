// A region in a header: places name the header.
#include "in_header.h"

int main(void)
{
    float a[100];
    clear(100, a);
    return a[9] != 0;
}
