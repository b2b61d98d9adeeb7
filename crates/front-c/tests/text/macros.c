// Macros are expanded in directives; directives come out of macros and headers.
// shape x0: Pointer
#include "macros.h"
#define DO_PRAGMA(x) _Pragma(#x)
#define WAIT(q) DO_PRAGMA(acc wait(q))

int main(void)
{
    float x0[N];
    from_header(x0);
    WAIT(3)
    return 0;
}
