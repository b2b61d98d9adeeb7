// The body reads the induction variable after writes to other variables and takes a copy it modifies.
#include <stdio.h>

int main(void)
{
    int a[50];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 50; i++) {
        int k = i;
        k++;
        const int copy = i, *p = &copy;
        k += *p;
        a[i] = k * (i & 3);
    }
    for (int i = 0; i < 50; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
