// Elements that never had a value may be copied, as long as nothing depends on them.
// finds: nothing
#include <stdio.h>
#include <string.h>

struct state {
    double u[5];
    int tag;
};

static double second(const double *row)
{
    return row[1];
}

int main(void)
{
    int n = 100;
    double lhs[100][3], rhs[100][3], line[100];
    struct state from[20], to[20];
    float sum = 0;

#pragma acc data create(lhs, rhs, from) copyout(line, to)
    {
        /* The first and the last row, and the middle column, stay as they are. */
#pragma acc parallel loop
        for (int i = 1; i < n - 1; i++) {
            lhs[i][0] = i;
            lhs[i][2] = -i;
        }
        /* A row at a time, by assignment, by a function and through a variable. */
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            double keep = lhs[i][0];
            rhs[i][1] = second(lhs[i]);
            rhs[i][2] = lhs[i][2];
            rhs[i][0] = i % 2 ? keep : lhs[i][0];
        }
        /* By one lane for all. */
#pragma acc parallel loop gang
        for (int i = 0; i < n; i++) {
            double same = rhs[i][1];
#pragma acc loop vector
            for (int j = 0; j < 3; j++)
                lhs[i][j] = same;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            memcpy(&line[i], &rhs[i][2], sizeof line[i]);
        /* Structures of which one member has a value. */
#pragma acc parallel loop
        for (int i = 0; i < 20; i++)
            from[i].tag = i;
#pragma acc parallel loop
        for (int i = 0; i < 20; i++)
            to[i] = from[i];
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 1; i < n - 1; i++)
            sum += rhs[i][0] + rhs[i][2];
    }
    printf("%g %g %d\n", sum, line[50], to[7].tag);
}
