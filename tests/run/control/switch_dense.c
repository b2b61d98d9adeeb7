// switch with breaks, a default in the middle, several labels on one statement.
#include <stdio.h>

int main(void)
{
    int a[30];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 30; i++) {
        int r;
        switch (i % 9) {
        case 0:
            r = 1;
            break;
        case 1:
        case 2:
            r = 10 + i;
            break;
        default:
            r = -i;
            break;
        case 5: {
            int t = i * i;
            r = t;
            break;
        }
        case 7:
            r = 70;
        }
        a[i] = r;
    }
    for (int i = 0; i < 30; i++)
        printf("%d\n", a[i]);
    return 0;
}
