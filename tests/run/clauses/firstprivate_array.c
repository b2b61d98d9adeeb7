// firstprivate arrays: each gang starts with the host's values and changes only its copy.
// expect-output: firstprivate_array.expect
#include <stdio.h>

int main(void)
{
    int w[4] = {1, 2, 3, 4}, g[2][3] = {{1, 2, 3}, {4, 5, 6}}, out[40];
#pragma acc parallel num_gangs(5) firstprivate(w, g) copyout(out)
    {
        w[0] += 10;
        g[1][2] *= 2;
#pragma acc loop gang
        for (int i = 0; i < 40; i++)
            out[i] = w[i % 4] + g[i % 2][i % 3] * 100;
    }
    for (int i = 0; i < 40; i++)
        printf("%d ", out[i]);
    printf("%d %d\n", w[0], g[1][2]);
    return 0;
}
