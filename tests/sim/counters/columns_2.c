// A thread goes down two columns; spelling 2, whose step of 64 bits is scaled before it is added (the assembler does that once).
// finds: nothing
// counters: instructions <= 17500
#define SPELLING 2
#include "columns.h"
