// Three loops, gang outside worker outside vector, with code between the levels.
#include <stdio.h>

#define G 6
#define W 7
#define V 40

int main(void)
{
    static int a[G][W][V], row[G][W], plane[G];
#pragma acc parallel copyout(a, row, plane) num_gangs(4) num_workers(4) vector_length(16)
    {
#pragma acc loop gang
        for (int g = 0; g < G; g++) {
            int base = g * 1000;
            plane[g] = base + 1;
#pragma acc loop worker
            for (int w = 0; w < W; w++) {
                int off = base + w * 100;
                row[g][w] = off;
#pragma acc loop vector
                for (int v = 0; v < V; v++)
                    a[g][w][v] = off + v;
            }
        }
    }
    long s = 0;
    for (int g = 0; g < G; g++)
        for (int w = 0; w < W; w++)
            for (int v = 0; v < V; v++)
                s = (s * 3 + a[g][w][v] + row[g][w] + plane[g]) % 1000003;
    printf("%ld %d\n", s, a[5][6][39]);
    return 0;
}
