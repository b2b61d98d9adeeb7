// offsetof with an index that is not constant, which GNU C allows.
#include <stddef.h>

struct s {
    char c;
    double d[4];
};

int main(void)
{
    unsigned long a[4];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 4; i++)
        a[i] = offsetof(struct s, d[i]);
    return (int)a[0];
}
