// Code in front of the loop is executed once by the only gang, and the lanes see what it wrote.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int flag[1] = {0}, out[64];
#pragma acc parallel num_gangs(1) copy(flag) copyout(out)
    {
        flag[0] = 7;
#pragma acc loop gang vector
        for (int i = 0; i < 64; i++)
            out[i] = flag[0] + i;
    }
    printf("%d %d\n", flag[0], out[3]);
}
