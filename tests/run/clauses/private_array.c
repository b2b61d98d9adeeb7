// Private arrays: on a gang loop, shared by the vector loops inside; on a vector loop; two-dimensional.
// launches: 2
#include <stdio.h>

int main(void)
{
    int out[16], w[8], sums[40], pair[2][2];
#pragma acc parallel loop gang private(w) copyout(out)
    for (int i = 0; i < 16; i++) {
#pragma acc loop vector
        for (int k = 0; k < 8; k++)
            w[k] = i * k;
        int s = 0;
#pragma acc loop vector reduction(+:s)
        for (int k = 0; k < 8; k++)
            s += w[7 - k] * k;
        out[i] = s;
    }
#pragma acc parallel loop gang vector private(pair) copyout(sums)
    for (int i = 0; i < 40; i++) {
        pair[0][0] = i;
        pair[0][1] = i * i;
        pair[1][0] = pair[0][1] - pair[0][0];
        pair[1][1] = 1;
        sums[i] = pair[0][0] + pair[1][0] * 2 + pair[1][1];
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", out[i]);
    for (int i = 0; i < 40; i++)
        printf("%d ", sums[i]);
    printf("\n");
    return 0;
}
