// Loops without directive whose bodies change where they end: a variable, through a pointer, an element, a member, by a function; and rows of
// a sparse matrix, whose ends nothing changes.
// launches: 3
#include <stdio.h>

struct part {
    int n, other;
};

enum { ROWS = 4, LENGTH = 64 };
static int a[ROWS][LENGTH], out[ROWS], counts[ROWS], start[ROWS + 1], at[ROWS * 9];
static double values[ROWS * 9], sums[ROWS];
static struct part parts[ROWS];

#pragma acc routine seq
static void shorten(int *n) { *n -= 5; }

int main(void)
{
    for (int i = 0; i < ROWS * LENGTH; i++)
        a[i / LENGTH][i % LENGTH] = i * 7 % LENGTH;
    for (int i = 0; i < ROWS; i++)
        counts[i] = 60, parts[i].n = 50, start[i + 1] = start[i] + 2 * i + 3;
    for (int k = 0; k < ROWS * 9; k++)
        at[k] = k % 11, values[k] = k % 5;
#pragma acc parallel loop copyin(a) copyout(out) copy(counts, parts)
    for (int i = 0; i < ROWS; i++) {
        int m = LENGTH, t = 0;
        for (int j = 0; j < m; j++) {
            if (a[i][j] == 21)
                m = j + 3;
            t++;
        }
        int *p = &m;
        m = 40;
        for (int j = 0; j < m; j++) {
            if (j == 10)
                *p = 12;
            t++;
        }
        for (int j = 0; j < counts[i]; j++) {
            if (a[i][j] == 14)
                counts[i] = j + 5;
            t++;
        }
        for (int j = 0; j < parts[i].n; j++) {
            if (a[i][j] == 28)
                parts[i].n -= 10;
            parts[i].other = t++;
        }
        m = 20;
        for (int j = 0; j < m; j += 2) {
            shorten(&m);
            t++;
        }
        out[i] = t;
    }
    for (int i = 0; i < ROWS; i++)
        printf("%d %d %d %d\n", out[i], counts[i], parts[i].n, parts[i].other);
    int steps = 1, limit = 30;
#pragma acc kernels copy(counts, out) copyin(a)
    {
        for (int j = 0; j < limit; j += steps) {
            out[j % ROWS]++;
            if (j == 8)
                steps = 3;
            if (j == 17)
                limit = 22;
        }
        for (int j = 0; j < counts[0]; j++)
            counts[j % ROWS]--;
    }
    for (int i = 0; i < ROWS; i++)
        printf("%d %d\n", out[i], counts[i]);
#pragma acc kernels copyin(start, at, values) copyout(sums)
    for (int i = 0; i < ROWS; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            s += values[k] * at[k];
        sums[i] = s;
    }
    for (int i = 0; i < ROWS; i++)
        printf("%g%c", sums[i], i < ROWS - 1 ? ' ' : '\n');
}
