// __LINE__ and __FILE__ of the host code stay those of the source; __func__ works around regions.
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a[3];
    int before = __LINE__;
#pragma acc parallel loop \
    copyout(a)
    for (int i = 0; i < 3; i++)
        a[i] = __LINE__;
    int after = __LINE__;
    const char *file = strrchr(__FILE__, '/');
    printf("%d %d %d %s %s\n", before, after, a[1], file ? file + 1 : __FILE__, __func__);
    return 0;
}
