// ++ and -- before and after, on integers, floats, pointers and array elements.
#include <stdio.h>

int main(void)
{
    int a[8], r[8] = {0};
    float f = 0.5f;
#pragma acc serial copyout(a) copy(r, f)
    {
        for (int i = 0; i < 8; i++)
            a[i] = i * i;
        int i = 2;
        r[0] = i++;
        r[1] = ++i;
        r[2] = i--;
        r[2] += --i;
        int *p = a;
        r[3] = *p++;
        r[3] += *++p;
        r[4] = (*p)++ + a[2];
        r[5] = --a[i];
        r[5] += a[i]-- * 10;
        unsigned char c = 255;
        c++;
        r[6] = c--;
        r[7] = c;
        f++;
        --f;
        ++f;
    }
    for (int i = 0; i < 8; i++)
        printf("%d %d\n", a[i], r[i]);
    printf("%g\n", f);
    return 0;
}
