// A thread goes down two columns; spelling 3.
// finds: nothing
// counters: instructions <= 13500
#define SPELLING 3
#include "columns.h"
