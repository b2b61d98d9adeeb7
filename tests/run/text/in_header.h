#ifndef IN_HEADER_H
#define IN_HEADER_H

static inline void header_fill(int *p, int n)
{
#pragma acc parallel loop copyout(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = i;
}

#endif
