// Nests in `parallel` of which only the outermost loop has a directive: rows of three dimensions, in every spelling, and what they reduce.
#include <stdio.h>

enum { PLANES = 6, ROWS = 21, COLUMNS = 140 };

static double a[PLANES][ROWS][COLUMNS], b[PLANES][ROWS][COLUMNS];

static void of_arrays(int planes, int rows, int columns)
{
#pragma acc parallel loop copyin(a) copy(b)
    for (int k = 1; k < planes - 1; k++)
        for (int j = 1; j < rows - 1; j++)
            for (int i = 1; i < columns - 1; i++)
                b[k][j][i] = a[k][j][i - 1] + a[k][j + 1][i] + a[k + 1][j][i] - a[k - 1][j][i];
}

static double of_pointers(int planes, int rows, int columns, const double *restrict from, double *restrict to)
{
    int i, j, k;
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(from[0:planes * rows * columns]) copy(to[0:planes * rows * columns])
    for (k = 0; k < planes; k++) {
        for (j = 0; j < rows; j++) {
            for (i = 0; i < columns; i++) {
                int at = (k * rows + j) * columns + i;
                to[at] += 2 * from[at];
                sum += to[at];
            }
        }
    }
    return sum;
}

// Two loops in one, and rows behind each other in the same iteration.
static double collapsed(int planes, int rows, int columns)
{
    double most = 0;
#pragma acc parallel loop collapse(2) reduction(max : most) copyin(b) copy(a)
    for (int k = 0; k < planes; k++)
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < columns; i++)
                a[k][j][i] += b[k][j][i];
            for (int i = 0; i < columns; i++)
                if (a[k][j][i] > most)
                    most = a[k][j][i];
        }
    return most;
}

// Rows of a few numbers stay with the thread.
static void short_rows(int planes, int rows)
{
#pragma acc parallel loop copy(a)
    for (int k = 0; k < planes; k++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < 4; i++)
                a[k][j][i] = a[k][j][i] * 2 + i;
}

// Each element of a row needs the one before: the rows are what runs side by side.
static void in_order(int planes, int rows, int columns)
{
#pragma acc parallel loop copy(b)
    for (int k = 0; k < planes; k++)
        for (int j = 0; j < rows; j++)
            for (int i = 1; i < columns; i++)
                b[k][j][i] = b[k][j][i - 1] / 2 + b[k][j][i];
}

// Four loops.
static long counted(int planes, int rows, int columns)
{
    long count = 0;
#pragma acc parallel loop reduction(+ : count) copyin(a)
    for (int half = 0; half < 2; half++)
        for (int k = half; k < planes; k += 2)
            for (int j = 0; j < rows; j++)
                for (int i = 0; i < columns; i++)
                    count += a[k][j][i] > half;
    return count;
}

int main(void)
{
    for (int k = 0; k < PLANES; k++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                a[k][j][i] = (k * 7 + j * 31 + i * 17) % 101;
    of_arrays(PLANES, ROWS, COLUMNS);
    printf("%.3f\n", of_pointers(PLANES, ROWS, COLUMNS, &a[0][0][0], &b[0][0][0]));
    printf("%.3f\n", collapsed(PLANES, ROWS, COLUMNS));
    short_rows(PLANES, ROWS);
    in_order(PLANES, ROWS, COLUMNS);
    printf("%ld\n", counted(PLANES, ROWS, COLUMNS));
    double sum = 0;
    for (int k = 0; k < PLANES; k++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                sum += a[k][j][i] * (1 + i % 3) + b[k][j][i] * (1 + j % 5);
    printf("%.3f\n", sum);
    return 0;
}
