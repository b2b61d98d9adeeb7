// The mistake is in a header.
#include "lowering_in_header.h"

int main(void)
{
    return fill();
}
