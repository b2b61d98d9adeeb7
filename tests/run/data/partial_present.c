// Sections of data whose whole is present: compute on parts, update parts.
// launches: 5
#include <stdio.h>

int main(void)
{
    int a[100], s = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc data copyin(a)
    {
        for (int part = 0; part < 5; part++) {
#pragma acc parallel loop present(a[part * 20:20])
            for (int i = part * 20; i < part * 20 + 20; i++)
                a[i] *= part;
            if (part % 2) {
#pragma acc update self(a[part * 20:10])
                s += a[part * 20 + 9];
            }
        }
#pragma acc update host(a[80:20])
        s += a[99];
    }
    printf("%d\n", s);
    return 0;
}
