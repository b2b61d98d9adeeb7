// Pointers to private variables and to private arrays, pointer to pointer, all within an iteration.
#include <stdio.h>

int main(void)
{
    int r[20];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 20; i++) {
        int x = i, y = 2 * i, buf[4] = {1, 2, 3, 4};
        int *p = &x, **pp = &p;
        *p += 1;
        if (i & 1)
            *pp = &y;
        **pp += 100;
        int *q = buf + 3;
        *q-- = x;
        *q = y;
        int(*whole)[4] = &buf;
        r[i] = (*whole)[3] + (*whole)[2] * 2 + *p + buf[0];
    }
    for (int i = 0; i < 20; i++)
        printf("%d\n", r[i]);
    return 0;
}
