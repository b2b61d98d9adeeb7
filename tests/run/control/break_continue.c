// break and continue in nested sequential loops inside a partitioned loop.
#include <stdio.h>

int main(void)
{
    int first[50], sum[50];
#pragma acc parallel loop gang vector copyout(first, sum)
    for (int i = 0; i < 50; i++) {
        first[i] = -1;
        sum[i] = 0;
        for (int j = 2; j < 100; j++) {
            if (j % 3 == 0)
                continue;
            int stop = 0;
            for (int k = 1;; k++) {
                if (k > j)
                    break;
                if (k % 2)
                    continue;
                sum[i] += k;
                if (j * k > 20 * i + 7) {
                    stop = 1;
                    break;
                }
            }
            if (stop) {
                first[i] = j;
                break;
            }
        }
    }
    for (int i = 0; i < 50; i++)
        printf("%d %d\n", first[i], sum[i]);
    return 0;
}
