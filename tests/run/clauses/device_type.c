// device_type scoping: clauses for other device types do not count.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[64];
#pragma acc parallel loop gang vector copyout(a) device_type(nvidia) num_gangs(100) vector_length(64) \
    device_type(host) num_gangs(2) device_type(*) num_gangs(5)
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel copy(a)
    {
#pragma acc loop dtype(host) gang dtype(nvidia) seq
        for (int i = 0; i < 64; i++)
            a[i] *= 3;
    }
    int s = 0;
    for (int i = 0; i < 64; i++)
        s += a[i];
    printf("%d\n", s);
    return 0;
}
