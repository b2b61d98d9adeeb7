// The right-hand side is evaluated once, whatever it contains, and an `if` clause changes nothing.
#include <math.h>
#include <stdio.h>

static int twice(int i)
{
    return 2 * i;
}

int main(void)
{
    double sum = 0, table[64];
    int calls = 0, host = 0;
    for (int i = 0; i < 64; i++)
        table[i] = i;
#pragma acc parallel loop copyin(table) copy(sum, calls)
    for (int i = 0; i < 64; i++) {
        int k = 0;
#pragma acc atomic
        sum *= 1.0;
#pragma acc atomic
        sum += table[k++] + table[twice(i) % 64] + (i % 2 ? floor(table[i]) : 0) + k;
#pragma acc atomic if(i % 2 == 0)
        calls += k;
    }
    /* On the host the statement is an ordinary one. */
    for (int i = 0; i < 3; i++) {
#pragma acc atomic
        host += i;
    }
    printf("%g %d %d\n", sum, calls, host);
    return 0;
}
