// The sizes of clauses: constants, odd ones, values known at run time only, short vectors.
// launches: 5
#include <stdlib.h>

int main(int argc, char **argv)
{
    static float a[50][50];
    int lanes = 64 + argc - 1;
#pragma acc parallel loop vector_length(100) copyout(a)
    for (int i = 0; i < 50; i++)
        a[i][0] = i;
#pragma acc parallel loop gang vector_length(lanes) num_gangs(10) copyout(a)
    for (int i = 0; i < 50; i++)
#pragma acc loop vector
        for (int j = 0; j < 50; j++)
            a[i][j] = i + j;
#pragma acc parallel loop gang worker vector_length(8) copyout(a)
    for (int i = 0; i < 50; i++)
#pragma acc loop vector
        for (int j = 0; j < 50; j++)
            a[i][j] = i - j;
#pragma acc parallel loop gang num_workers(40) vector_length(64) copyout(a)
    for (int i = 0; i < 50; i++)
#pragma acc loop worker vector
        for (int j = 0; j < 50; j++)
            a[i][j] = i - j;
#pragma acc parallel copyout(a)
    a[0][0] = 1;
    return a[0][0] != 1;
}
