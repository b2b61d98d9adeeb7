// pcopy, pcopyin, pcopyout, pcreate and present_or_copy: the old spellings.
#include <stdio.h>

int main(void)
{
    int a[10], b[10], c[10], d[10], e[10];
    for (int i = 0; i < 10; i++)
        a[i] = b[i] = e[i] = i;
#pragma acc parallel loop pcopy(a) pcopyin(b) pcopyout(c) pcreate(d) present_or_copy(e)
    for (int i = 0; i < 10; i++) {
        d[i] = b[i] * 2;
        c[i] = d[i];
        a[i] += c[i];
        e[i]++;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", a[i], c[i], e[i]);
    return 0;
}
