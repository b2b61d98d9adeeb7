// Private copies of arrays: firstprivate and initialised ones, shared by the lanes of a gang.
// launches: 2
#include <stdio.h>

int main(void)
{
    enum { N = 64 };
    double table[500], small[3] = { 1, 2, 3 }, out[N], other[N];
    struct pair { int a; double b[40]; } pair = { 3, { 0.5, 1.5 } };
    for (int i = 0; i < 500; i++)
        table[i] = i * 0.25;
#pragma acc parallel num_gangs(4) firstprivate(table, small, pair) copyout(out)
    {
        table[0] = -1;
        small[0] = 7;
        pair.b[38] = 4;
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
            double mine[100] = { 0 }, sum = 0;
#pragma acc loop vector
            for (int k = 0; k < 100; k++)
                mine[k] += table[(i + k) % 500] * small[k % 3];
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < 100; k++)
                sum += mine[99 - k];
            out[i] = sum + pair.a + pair.b[1] + pair.b[38];
        }
    }
#pragma acc parallel loop gang worker num_workers(4) copyin(pair) copyout(other)
    for (int i = 0; i < N; i++) {
        struct pair own = pair;
        double wide[64] = { [63] = i };
        own.b[i % 38] += i;
#pragma acc loop vector
        for (int k = 0; k < 38; k++)
            own.b[k] += wide[63] + k;
        other[i] = own.b[1] + own.b[39];
    }
    for (int i = 0; i < N; i++)
        printf("%g %g\n", out[i], other[i]);
    return 0;
}
