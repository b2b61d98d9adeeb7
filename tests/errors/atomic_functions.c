// Functions of stdatomic.h for objects that no device accesses in one piece, and operations that are not defined.
#include <stdatomic.h>

struct pair {
    int a, b;
};

int main(void)
{
    int r = 0;
#pragma acc parallel copy(r)
    {
        _Atomic __int128 wide;
        _Atomic struct pair p;
        _Atomic float f;
        atomic_store(&wide, 1);
        struct pair q = atomic_load(&p);
        r = q.a + (int)__atomic_fetch_or(&f, 1, 5);
    }
    return r;
}
