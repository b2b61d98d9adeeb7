// A private VLA and a private section of it.
// modes: shared discrete (a GPU holds no variable-length arrays)
// args: 6
// expect-output: private_vla.expect
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6, out[20];
    int w[n];
    w[0] = -1;
#pragma acc parallel loop gang private(w) copyout(out)
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < n; k++)
            w[k] = i + k;
        out[i] = 0;
        for (int k = 0; k < n; k++)
            out[i] += w[n - 1 - k] * k;
    }
    for (int i = 0; i < 20; i++)
        printf("%d ", out[i]);
    printf("%d\n", w[0]);
    return 0;
}
