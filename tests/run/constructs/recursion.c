// A recursive host function with a region and live data at every depth.
// launches: 5
#include <stdio.h>

static int descend(int depth)
{
    int a[8], s = 0;
#pragma acc data create(a)
    {
#pragma acc parallel loop present(a)
        for (int i = 0; i < 8; i++)
            a[i] = i * depth;
        int below = depth > 1 ? descend(depth - 1) : 0;
#pragma acc update self(a)
        for (int i = 0; i < 8; i++)
            s += a[i];
        s += below;
    }
    return s;
}

int main(void)
{
    printf("%d\n", descend(5));
    return 0;
}
