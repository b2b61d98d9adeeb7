// A thread goes down two columns; spelling 1.
// finds: nothing
// counters: instructions <= 13500
#define SPELLING 1
#include "columns.h"
