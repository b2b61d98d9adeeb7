// Loop variables of sequential loops and variables declared in the region are private, also when a host variable has
// the same name.
#include <stdio.h>

int main(void)
{
    int i = 100, k = 200, t = 300, a[12][4];
#pragma acc parallel loop copyout(a)
    for (i = 0; i < 12; i++) {
        int t = i;
        for (int k = 0; k < 4; k++) {
            t += k;
            a[i][k] = t;
        }
    }
    printf("%d %d %d %d\n", k, t, a[11][3], a[5][2]);
    return 0;
}
