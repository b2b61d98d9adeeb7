// Regions whose pointers overlap, which the host runs in place of a GPU, with a variable of which only a section is on the device.
// launches: 1
#include <stdio.h>

static void add(int *p, int *q, int n)
{
    int v[n];
    static int w[12];
    for (int i = 0; i < n; i++) {
        v[i] = i;
        w[i] = 2 * i;
    }
#pragma acc data copy(v[3:5], w[2:6]) copy(p[0:n])
    {
#pragma acc kernels loop
        for (int i = 3; i < 8; i++) {
            p[i] = q[i - 1] + v[i];
            v[i] += 100;
            w[i - 1] += v[i];
        }
#pragma acc update self(p[0:n])
    }
    for (int i = 0; i < n; i++)
        printf("%d/%d/%d ", p[i], v[i], w[i]);
    printf("\n");
}

int main(void)
{
    int a[12], b[12];
    for (int i = 0; i < 12; i++)
        a[i] = b[i] = 10 * i;
#pragma acc data copyin(b)
    {
        add(a, b, 12);
        add(b, b, 12);
    }
#pragma acc data copyin(a)
    add(a, a, 12);
    return 0;
}
