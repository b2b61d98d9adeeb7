// PoCL can make a loop over the work items of a group, or copy the code for each of them: barriers of reductions hold in both. The
// other programs have loops; few lanes, since every copy is built.
// modes: opencl (a choice of PoCL's; other drivers do not read it)
// env: POCL_WORK_GROUP_METHOD=workitemrepl
// launches: 4
// timeout: 60
#include <stdio.h>

enum { N = 1000, ROWS = 40 };

int main(void)
{
    static int a[N];
    double rows[ROWS];
    long sum = 0;
    int least = N, seen[ROWS];
    for (int i = 0; i < N; i++)
        a[i] = i * 7 % 31;
#pragma acc parallel loop gang vector num_gangs(3) vector_length(32) reduction(+:sum) reduction(min:least) copyin(a)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        least = a[i] - i < least ? a[i] - i : least;
    }
    printf("%ld %d\n", sum, least);

    // A barrier in a sequential loop, and values of single modes that lanes read.
#pragma acc parallel loop gang vector_length(32) copyin(a) copyout(rows, seen)
    for (int g = 0; g < ROWS; g++) {
        double total = 0;
        seen[g] = g * 2;
        for (int round = 0; round < 3; round++) {
            double part = round;
#pragma acc loop vector reduction(+:part)
            for (int i = 0; i < N / ROWS; i++)
                part += a[g * (N / ROWS) + i] * round + seen[g];
            if (part > 100)
                total += part;
        }
        rows[g] = total;
    }
    printf("%g %g %d\n", rows[0], rows[ROWS - 1], seen[3]);

    int counts[4] = {0};
#pragma acc parallel loop gang vector num_gangs(2) vector_length(32) copyin(a) copy(counts)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        counts[a[i] % 4]++;
    }
    printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);

    float weights[4] = {0.5f, 0, 0, 0};
#pragma acc parallel loop gang vector num_gangs(2) vector_length(32) copyin(a) copy(weights)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        weights[a[i] % 4] += 0.25f;
    }
    printf("%g %g %g %g\n", weights[0], weights[1], weights[2], weights[3]);
    return 0;
}
