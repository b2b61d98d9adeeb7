// One variable reduced through gang, worker and vector loops, with contributions at every level.
#include <stdio.h>

int main(void)
{
    long s = 1;
    int mx = -1;
#pragma acc parallel loop gang num_gangs(5) num_workers(3) vector_length(8) reduction(+:s) reduction(max:mx)
    for (int g = 0; g < 12; g++) {
        s += 1000000;
#pragma acc loop worker reduction(+:s) reduction(max:mx)
        for (int w = 0; w < 9; w++) {
            s += 1000;
#pragma acc loop vector reduction(+:s) reduction(max:mx)
            for (int v = 0; v < 20; v++) {
                s += g ^ w ^ v;
                int k = (g * 9 + w) * 20 + v;
                if (k % 997 > mx)
                    mx = k % 997;
            }
        }
    }
    printf("%ld %d\n", s, mx);
    return 0;
}
