// Code that one thread is to run, around and between vector loops: loops, switch, atomics, calls with effects.
// launches: 3
#include <stdio.h>
#include <stdlib.h>

static int counter_of(int *p, int by)
{
    *p += by;
    return *p;
}

int main(void)
{
    enum { N = 200 };
    int a[N], log[N], steps = 0, tickets = 0, mine[8];
    for (int i = 0; i < N; i++)
        a[i] = i % 5;
#pragma acc parallel num_gangs(1) copy(a, steps) copyout(log)
    {
        int k = 0, at = 0;
        while (k < N) {
            if (a[k] == 4 && at > 20)
                break;
            if (a[k] == 3) {
                log[at++] = -k;
                k += 2;
                continue;
            }
            switch (a[k]) {
            case 0:
                a[k] = 9;
            case 1:
                log[at++] = a[k];
                break;
            default:
                log[at++] = 100 + a[k];
            }
#pragma acc loop vector
            for (int i = 0; i < N; i++)
                if (i > k)
                    a[i] = (a[i] + 1) % 5;
            k++;
            steps++;
        }
        do {
            log[at++] = a[N - 1];
#pragma acc loop vector
            for (int i = 0; i < N; i++)
                a[i] += at;
        } while (at < N);
    }
#pragma acc parallel loop gang num_gangs(4) copy(tickets) copyout(mine)
    for (int g = 0; g < 8; g++) {
        int own;
#pragma acc atomic capture
        own = tickets++;
        if (own % 2 == 0) {
#pragma acc loop vector
            for (int i = 0; i < 1; i++)
                mine[own + i] = own * own;
        } else {
            mine[own] = -own;
        }
    }
    int state[4] = { 0 }, sum = 0;
#pragma acc parallel num_gangs(1) num_workers(4) vector_length(32) copy(state, sum)
    {
        int *block = malloc(32 * sizeof(int));
        for (int round = 0; round < 3; round++) {
            int got = counter_of(&state[round], round + 1);
#pragma acc loop worker vector
            for (int i = 0; i < 32; i++)
                block[i] = got * i;
            state[3] += block[31] + counter_of(&block[0], 2);
#pragma acc loop worker reduction(+ : sum)
            for (int i = 0; i < 32; i++)
                sum += block[i];
        }
        free(block);
    }
    for (int i = 0; i < N; i++)
        printf("%d %d ", a[i], log[i]);
    for (int i = 0; i < 8; i++)
        printf("%d ", mine[i]);
    printf("%d %d %d %d %d %d %d\n", steps, tickets, state[0], state[1], state[2], state[3], sum);
    return 0;
}
