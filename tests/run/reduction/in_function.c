// Reduction variables that functions called in a vector loop update: the loop without a clause of its own reduces them, too.
#include <stdio.h>

static void add(int *p, int k)
{
    p[k] += 1;
}

static void twice(int *p, int k)
{
    add(p, k);
    add(p, k);
}

static void step(double *p, double by)
{
    *p += by;
}

static int reads(const int *p, int k)
{
    return p[k];
}

int main(void)
{
    int counts[4] = {0}, table[4] = {1, 2, 3, 4}, read = 0;
    double sum = 0;
#pragma acc parallel num_gangs(4) reduction(+ : counts, sum, read) copyin(table)
    {
#pragma acc loop gang vector
        for (int i = 0; i < 1000; i++) {
            add(counts, i % 4);
            step(&sum, 0.5);
            read += reads(table, i % 4);
        }
#pragma acc loop gang worker
        for (int i = 0; i < 100; i++)
            twice(counts, i & 3);
    }
    printf("%d %d %d %d %g %d\n", counts[0], counts[1], counts[2], counts[3], sum, read);
    return 0;
}
