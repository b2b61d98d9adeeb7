// kernels on pointers into the same array: nothing may be assumed about them. Where the launch sees that, the host runs them.
// launches: 0
#include <stdio.h>

static void shift(int *to, const int *from, int n, int *base, int size)
{
#pragma acc data copy(base[0:size])
    {
#pragma acc kernels present(base[0:size])
        for (int i = 0; i < n; i++)
            to[i] = from[i] + 1;
    }
}

int main(void)
{
    int a[40] = {0};
    shift(a + 1, a, 39, a, 40);
    printf("%d %d\n", a[1], a[39]);
    shift(a, a + 1, 39, a, 40);
    printf("%d %d\n", a[0], a[38]);
    return 0;
}
