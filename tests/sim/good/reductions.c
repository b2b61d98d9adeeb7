// Reductions over gangs, workers and lanes share memory, in order.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int m[20][300], sums[20], total = 0, most = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 300; j++)
            m[i][j] = i * j % 17;
#pragma acc parallel loop gang num_workers(4) copyin(m) copyout(sums) reduction(+ : total) reduction(max : most)
    for (int i = 0; i < 20; i++) {
        int sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
        for (int j = 0; j < 300; j++)
            sum += m[i][j];
        sums[i] = sum;
        total += sum;
        if (sum > most)
            most = sum;
    }
    printf("%d %d %d\n", sums[7], total, most);
}
