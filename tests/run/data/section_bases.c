// Sections that lie in a mapping, given from a pointer that is outside of it: a pointer of that value leads there.
#include <stdio.h>

static void dev(int *d, int n)
{
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; i++)
        d[i] += 3;
}

static void use_from(int *p, int from, int to)
{
#pragma acc parallel loop
    for (int i = from; i < to; i++)
        p[i] *= 2;
}

int main(void)
{
    int m[100];
    for (int i = 0; i < 100; i++)
        m[i] = i;
    int *a = m, *p = m + 3;
#pragma acc data copy(a[10:20])
#pragma acc data copy(p[7:5])
    {
#pragma acc host_data use_device(p)
        dev(p + 7, 5);
        use_from(p, 7, 12);
    }
#pragma acc enter data copyin(a[10:20])
#pragma acc enter data copyin(p[7:5])
#pragma acc host_data use_device(p)
    dev(p + 7, 5);
    use_from(p, 7, 12);
#pragma acc exit data copyout(a[10:20])
#pragma acc exit data copyout(p[7:5])
    int *q = m + 10;
    p = m;
#pragma acc data copy(p[20:10]) copy(q[5:10])
    {
#pragma acc host_data use_device(q)
        dev(q + 5, 15);
#pragma acc host_data use_device(p)
        dev(p + 20, 10);
        use_from(q, 5, 15);
        use_from(p, 20, 30);
    }
    for (int i = 0; i < 100; i++)
        printf("%d%c", m[i], i % 20 < 19 ? ' ' : '\n');
    return 0;
}
