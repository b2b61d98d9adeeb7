// Arrays of rows, whose number only the program knows: as a whole, in parts, on loops and constructs.
// args: 5
// launches: 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int v[n][4];
    for (int i = 0; i < n * 4; i++)
        v[i / 4][i % 4] = i;
#pragma acc parallel loop reduction(+:v)
    for (int i = 0; i < 97; i++)
        v[i % n][i % 4] += i;
#pragma acc parallel loop reduction(+:v[0:n][0:4]) copy(v)
    for (int i = 0; i < 97; i++)
        v[i % n][i * 7 % 4] += 1;
#pragma acc parallel reduction(max:v) num_gangs(3) copy(v)
    {
#pragma acc loop gang vector
        for (int i = 0; i < 97; i++)
            if (i * 6 > v[n - 1 - i % n][i % 4])
                v[n - 1 - i % n][i % 4] = i * 6;
    }
    // Rows in rows.
    double w[n][2][3];
    for (int i = 0; i < n * 6; i++)
        w[i / 6][i / 3 % 2][i % 3] = 0.5;
#pragma acc parallel loop collapse(2) reduction(+:w)
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 6; j++)
            w[i % n][j % 2][j / 2] += i - j;
    for (int i = 0; i < n * 4; i++)
        printf("%d ", v[i / 4][i % 4]);
    for (int i = 0; i < n * 6; i++)
        printf("%g ", w[i / 6][i / 3 % 2][i % 3]);
    printf("\n");
    return 0;
}
