// for (;;) with break, loops whose header parts are missing, a loop with an empty body.
#include <stdio.h>

int main(void)
{
    int a[16];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 16; i++) {
        int n = 0, k = i;
        for (;;) {
            if (k <= 0)
                break;
            k -= 3;
            n++;
        }
        for (; k < 5;)
            k++;
        for (; n < 3; n++)
            ;
        a[i] = n * 100 + k;
    }
    for (int i = 0; i < 16; i++)
        printf("%d\n", a[i]);
    return 0;
}
