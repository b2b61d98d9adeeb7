// In a switch inside a loop, break leaves the switch and continue the iteration.
#include <stdio.h>

int main(void)
{
    int a[12];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 12; i++) {
        int s = 0;
        for (int k = 0; k < 10; k++) {
            switch ((i + k) % 4) {
            case 0:
                continue;
            case 1:
                s += 1;
                break;
            case 2:
                if (k > 6)
                    break;
                s += 100;
                break;
            default:
                s += 10000;
            }
            s++;
        }
        a[i] = s;
    }
    for (int i = 0; i < 12; i++)
        printf("%d\n", a[i]);
    return 0;
}
