// A mistake in a header is reported with the header's name.
#include "in_header.h"

int main(void) { return 0; }
