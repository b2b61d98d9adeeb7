// Nests in `kernels` whose loops ask for gangs and lanes as for the dimensions of a grid, in numbers that are none of gangs next to
// each other. Each spelling is one parallel nest.
#include <math.h>
#include <stdio.h>

enum { ROWS = 70, COLUMNS = 90, PLANES = 6 };

static float a[ROWS][COLUMNS], b[ROWS][COLUMNS];
static double w0[PLANES][ROWS][COLUMNS], w1[PLANES][ROWS][COLUMNS];

static float combined(void)
{
    float error = 0;
#pragma acc kernels loop gang(32), vector(16)
    for (int j = 1; j < ROWS - 1; j++) {
#pragma acc loop gang(16), vector(32)
        for (int i = 1; i < COLUMNS - 1; i++) {
            b[j][i] = 0.25f * (a[j][i + 1] + a[j][i - 1] + a[j - 1][i] + a[j + 1][i]);
            error = fmaxf(error, fabsf(b[j][i] - a[j][i]));
        }
    }
    return error;
}

static void wrong_way_round(void)
{
#pragma acc kernels
    {
#pragma acc loop independent vector(2)
        for (int k = 1; k < PLANES - 1; k++) {
#pragma acc loop independent gang(32) vector(4)
            for (int j = 1; j < ROWS - 1; j++) {
#pragma acc loop independent gang(2) vector(64)
                for (int i = 1; i < COLUMNS - 1; i++)
                    w1[k][j][i] = w0[k][j][i] * 0.5 + w0[k + 1][j][i] + w0[k - 1][j][i] + w0[k][j + 1][i];
            }
        }
    }
}

static void workers_outside(int n)
{
#pragma acc kernels
#pragma acc loop independent worker
    for (int j = 0; j < n; j++) {
#pragma acc loop independent gang(n) worker
        for (int i = 0; i < COLUMNS; i++)
            a[j][i] += b[j][i] * 2 + i;
    }
}

static void lanes_twice(void)
{
#pragma acc kernels
#pragma acc loop independent vector(8)
    for (int j = 0; j < ROWS; j++) {
#pragma acc loop independent vector(128)
        for (int i = 0; i < COLUMNS; i++)
            b[j][i] += a[j][i] / 4;
    }
}

int main(void)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            a[j][i] = (j * 31 + i * 17) % 101;
            for (int k = 0; k < PLANES; k++)
                w0[k][j][i] = (k * 7 + j * 31 + i * 17) % 101;
        }
    printf("%.2f\n", combined());
    wrong_way_round();
    workers_outside(ROWS);
    lanes_twice();
    double sum = 0, weighted = 0;
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            sum += a[j][i] * (1 + j % 3) + b[j][i] * (1 + i % 5);
            for (int k = 0; k < PLANES; k++)
                weighted += w1[k][j][i] * (1 + (i + j + k) % 4);
        }
    printf("%.2f %.2f\n", sum, weighted);
    return 0;
}
