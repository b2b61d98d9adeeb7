// The last elements of arrays whose size is no multiple of a word, which atomics on 8 and 16 bits exchange: in memory that
// clauses map, of gangs and of workers, and in the copies that gangs have of small arrays.
// launches: 4
#include <stdio.h>

enum { N = 100 };

int main(void)
{
    short mapped[7] = {0}, count[15] = {0}, from[N];
    unsigned char bytes[3] = {0}, few[7] = {0};
    int of_gangs[4], of_workers[N];
    for (int i = 0; i < N; i++)
        from[i] = i % 5;
#pragma acc parallel loop gang vector copy(mapped, bytes[1:2]) copyin(from)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        mapped[from[i] + 2] += i;
        if (from[i] < 2) {
#pragma acc atomic
            bytes[1 + from[i]] += 3;
        }
    }
#pragma acc parallel loop gang num_gangs(4) copyin(from) copyout(of_gangs)
    for (int g = 0; g < 4; g++) {
        short own[5];
#pragma acc loop vector
        for (int i = 0; i < 5; i++)
            own[i] = g;
#pragma acc loop vector
        for (int i = 0; i < N; i++) {
#pragma acc atomic
            own[from[i]] += i;
        }
        of_gangs[g] = own[0] * 3 + own[4];
    }
#pragma acc parallel loop gang worker num_workers(3) vector_length(32) copyin(from) copyout(of_workers)
    for (int w = 0; w < N; w++) {
        signed char own[5];
#pragma acc loop vector
        for (int i = 0; i < 5; i++)
            own[i] = 0;
#pragma acc loop vector
        for (int i = 0; i < w; i++) {
#pragma acc atomic
            own[from[i]]++;
        }
        of_workers[w] = own[1] * 100 + own[4];
    }
#pragma acc parallel loop gang vector copy(count, few) copyin(from)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        count[from[i] + 10] += i;
#pragma acc atomic
        few[from[i] + 2]++;
    }
    printf("%d %d %d %d\n", mapped[6], mapped[2], bytes[1], bytes[2]);
    printf("%d %d\n", of_gangs[0], of_gangs[3]);
    printf("%d %d %d %d %d %d\n", of_workers[7], of_workers[99], count[10], count[14], few[2], few[6]);
    return 0;
}
