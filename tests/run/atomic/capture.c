// Every form of capture: the captured values are all different, whatever their order.
#include <stdio.h>

#define N 1000

static int seen[14][N + 1];

int main(void)
{
    int x[14] = {0}, y = 0, last = -1, bad = 0;
#pragma acc parallel loop copy(x, seen, last)
    for (int i = 0; i < N; i++) {
        int v;
#pragma acc atomic capture
        v = x[0]++;
        seen[0][v] = 1;
#pragma acc atomic capture
        v = ++x[1];
        seen[1][v] = 1;
#pragma acc atomic capture
        v = x[2]--;
        seen[2][-v] = 1;
#pragma acc atomic capture
        v = x[3] += 1;
        seen[3][v] = 1;
#pragma acc atomic capture
        v = x[4] = x[4] + 1;
        seen[4][v] = 1;
#pragma acc atomic capture
        v = x[5] = 1 + x[5];
        seen[5][v] = 1;
#pragma acc atomic capture
        {
            v = x[6];
            x[6] += 1;
        }
        seen[6][v] = 1;
#pragma acc atomic capture
        {
            x[7] += 1;
            v = x[7];
        }
        seen[7][v] = 1;
#pragma acc atomic capture
        {
            v = x[8];
            x[8] = x[8] + 1;
        }
        seen[8][v] = 1;
#pragma acc atomic capture
        {
            x[9] = 1 + x[9];
            v = x[9];
        }
        seen[9][v] = 1;
#pragma acc atomic capture
        { v = x[10]; x[10]++; }
        seen[10][v] = 1;
#pragma acc atomic capture
        { --x[11]; v = x[11]; }
        seen[11][-v] = 1;
        /* The old value goes to one iteration only, so the values form a chain. */
#pragma acc atomic capture
        { v = last; last = i; }
        seen[12][v + 1] += 1;
        double d;
#pragma acc atomic capture
        d = x[13]++;
        seen[13][(int)d] = 1;
    }
    seen[12][last + 1] += 1;
    for (int form = 0; form < 14; form++) {
        y = 0;
        for (int k = 0; k <= N; k++) {
            y += seen[form][k] == 1;
            bad += seen[form][k] > 1;
        }
        printf("%d: %d\n", form, y);
    }
    for (int form = 0; form < 14; form++)
        printf("%d ", form == 12 ? 0 : x[form]);
    printf("%d\n", bad);
    return 0;
}
