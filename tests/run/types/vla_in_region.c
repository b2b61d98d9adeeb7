// A VLA declared inside the region: each iteration has its own.
// modes: shared discrete (a GPU holds no variable-length arrays)
#include <stdio.h>

int main(void)
{
    int r[15], base = 3;
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 15; i++) {
        int n = base + i % 4;
        int tmp[n][2];
        for (int k = 0; k < n; k++) {
            tmp[k][0] = i + k;
            tmp[n - 1 - k][1] = k;
        }
        int s = 0;
        for (int k = 0; k < n; k++)
            s = s * 3 + tmp[k][0] - tmp[k][1];
        r[i] = s + (int)sizeof tmp;
    }
    for (int i = 0; i < 15; i++)
        printf("%d\n", r[i]);
    return 0;
}
