// Global arrays, static locals and extern arrays without a clause.
#include <stdio.h>

int g[12];
static double h[12];

int main(void)
{
    static short t[12] = {5, 4, 3, 2, 1};
#pragma acc parallel loop
    for (int i = 0; i < 12; i++) {
        g[i] = i * t[i];
        h[i] = g[i] / 2.0;
        t[i]++;
    }
    for (int i = 0; i < 12; i++)
        printf("%d %g %d\n", g[i], h[i], t[i]);
    return 0;
}
