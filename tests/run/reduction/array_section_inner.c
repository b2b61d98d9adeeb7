// A section that is reduced by a gang loop in a sequential loop, and by loops of workers and lanes in it: all update the same
// elements atomically.
#include <stdio.h>

int main(void)
{
    int n = 9, m = 5, p = 4;
    unsigned long least[4] = {1000, 1000, 1000, 1000};
    long sum[6] = {1, 2, 3, 4, 5, 6};
#pragma acc parallel copy(least, sum) num_gangs(3)
    {
        for (int k = 0; k < n; k++) {
#pragma acc loop gang reduction(min:least[3:1]) reduction(+:sum[2:2])
            for (int i = 0; i < 7; i++) {
#pragma acc loop vector reduction(min:least[3:1])
                for (int j = 0; j < m - 5; j++)
                    if (j < least[3 + j % 1])
                        least[3 + j % 1] = j;
#pragma acc loop worker reduction(min:least[3:1]) reduction(+:sum[2:2])
                for (int j = 0; j < p; j++) {
                    if (600 - j * i - k < least[3 + j % 1])
                        least[3 + j % 1] = 600 - j * i - k;
#pragma acc loop vector reduction(+:sum[2:2])
                    for (int l = 0; l < 33; l++)
                        sum[2 + l % 2] += l * j + i;
                    sum[2] += k;
                }
            }
        }
    }
    for (int k = 0; k < 4; k++)
        printf("%lu ", least[k]);
    for (int k = 0; k < 6; k++)
        printf("%ld ", sum[k]);
    printf("\n");
    return 0;
}
