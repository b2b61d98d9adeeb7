// offsetof in a region.
#include <stddef.h>

struct s {
    char c;
    double d;
};

int main(void)
{
    unsigned long a[4];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 4; i++)
        a[i] = offsetof(struct s, d);
    return (int)a[0];
}
