// A variable of the gang that nothing but atomic accesses of its lanes reads: one counter, not one for each lane.
#include <stdio.h>
#define N 96

int main(void) {
    int list[4][N];
    #pragma acc parallel num_gangs(4) copyout(list)
    {
        #pragma acc loop gang
        for (int g = 0; g < 4; g++) {
            int next = 0;
            #pragma acc loop vector
            for (int i = 0; i < N; i++) {
                int place;
                #pragma acc atomic capture
                place = next++;
                list[g][place] = i;
            }
        }
    }
    int sums[4] = {0};
    for (int g = 0; g < 4; g++)
        for (int i = 0; i < N; i++)
            sums[g] += list[g][i];
    printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
