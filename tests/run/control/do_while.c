// do/while runs at least once; continue in it still evaluates the condition.
#include <stdio.h>

int main(void)
{
    int a[20];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 20; i++) {
        int n = i, digits = 0, odd = 0;
        do {
            digits++;
            if (n % 2 == 0)
                continue;
            odd++;
        } while ((n /= 2) > 0 && digits < 4);
        a[i] = digits * 10 + odd;
    }
    for (int i = 0; i < 20; i++)
        printf("%d\n", a[i]);
    return 0;
}
