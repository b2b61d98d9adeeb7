// What every gang does in the dimensions that a loop is not spread over is done once by each.
// expect-output: gang_dims_redundant.expect
// launches: 6
#include <stdio.h>

enum { N = 10 };

int main(void)
{
    int outer[N] = { 0 }, inner[N] = { 0 }, n = 3;
    int all = 0, second = 0, third = 0, x[N] = { 0 };
#pragma acc parallel num_gangs(4, n) copy(outer, inner, all)
    {
#pragma acc atomic update
        all++;
#pragma acc loop gang(dim:2)
        for (int i = 0; i < N; i++) {
#pragma acc atomic update
            outer[i]++;
#pragma acc loop gang(dim:1)
            for (int k = 0; k < 6; k++) {
#pragma acc atomic update
                inner[i]++;
            }
        }
    }
    // 12 gangs; 4 of them in each iteration of the outer loop; each iteration of the inner loop once.
    printf("%d %d %d %d\n", all, outer[0], outer[N - 1], inner[N / 2]);

#pragma acc parallel num_gangs(2, 3, 5) copy(all, second, third)
    {
#pragma acc loop gang(dim:3)
        for (int i = 0; i < 7; i++) {
#pragma acc atomic update
            third++;
#pragma acc loop gang(dim:2)
            for (int j = 0; j < 4; j++) {
#pragma acc atomic update
                second++;
            }
        }
#pragma acc loop gang vector
        for (int i = 0; i < 40; i++) {
#pragma acc atomic update
            all++;
        }
    }
    // 7 iterations by 2 * 3 gangs; 28 iterations by 2 gangs; 40 iterations by 3 * 5 gangs.
    printf("%d %d %d\n", third, second, all);

    // num_gangs(6) is 6 gangs in dimension 1. A loop without levels is over all gangs.
    all = second = 0;
#pragma acc parallel num_gangs(6) copy(all, second)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < 9; i++) {
#pragma acc atomic update
            second++;
        }
#pragma acc loop
        for (int i = 0; i < 9; i++) {
#pragma acc atomic update
            all++;
        }
    }
    printf("%d %d\n", second, all);

    // Without num_gangs a dimension without loops has one gang.
#pragma acc parallel loop gang(dim:2) copy(x)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        x[i]++;
    }
    printf("%d %d\n", x[0], x[N - 1]);

    // Gangs with memory of their own, too large for shared memory.
    static long result[6][6];
#pragma acc parallel num_gangs(4, 3) copy(result)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < 6; i++) {
#pragma acc loop gang(dim:1)
            for (int k = 0; k < 6; k++) {
                long large[6000];
#pragma acc loop vector
                for (int j = 0; j < 6000; j++)
                    large[j] = i * 100 + k + j;
                result[i][k] = large[0] + large[5999];
            }
        }
    }
    long wrong = 0;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            wrong += result[i][k] != 2 * (i * 100 + k) + 5999;
    printf("%ld\n", wrong);

    // Gangs of all dimensions count as one without dim clauses.
    all = 0;
#pragma acc parallel num_gangs(4, 3) copy(all)
    {
#pragma acc loop gang
        for (int i = 0; i < 9; i++) {
#pragma acc atomic update
            all++;
        }
    }
    printf("%d\n", all);
    return 0;
}
