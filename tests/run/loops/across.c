// Nests that access arrays along their columns, in several spellings: bounds that no tile divides, counters of different types, rows
// that end in the middle of a gang's share, loops that count down, a column that is left out, a sum of the elements.
// launches: 8
#include <stddef.h>
#include <stdio.h>

enum { ROWS = 45, COLUMNS = 77, PLANES = 3 };

static int bad(const int *b, int extra)
{
    int count = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            count += b[i * COLUMNS + j] != j * ROWS + i + extra;
    return count;
}

int main(void)
{
    static int a[PLANES * ROWS * COLUMNS], b[PLANES * ROWS * COLUMNS], c[ROWS][COLUMNS], d[COLUMNS][ROWS];
    int rows = ROWS, columns = COLUMNS, sum = 0, wrong = 0;
    unsigned long tall = ROWS, wide = COLUMNS;
    for (int k = 0; k < PLANES * ROWS * COLUMNS; k++)
        a[k] = k;
#pragma acc data copyin(a) copy(b, c, d)
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                b[i * columns + j] = a[j * rows + i];
#pragma acc update self(b)
        wrong += bad(b, 0);

#pragma acc parallel loop tile(8, 8) num_gangs(7)
        for (size_t i = 0; i < tall; i++)
            for (unsigned j = 0; j < wide; j++)
                b[i * wide + j] = a[j * tall + i] + 1;
#pragma acc update self(b)
        wrong += bad(b, 1);

#pragma acc parallel num_gangs(4)
        {
#pragma acc loop gang
            for (unsigned i = 0; i < tall; i++) {
                unsigned n = (unsigned)wide;
#pragma acc loop vector
                for (long j = 0; j < columns; j++)
                    b[i * n + j] = a[j * rows + i] + 2;
            }
        }
#pragma acc update self(b)
        wrong += bad(b, 2);

#pragma acc kernels loop independent
        for (int i = rows - 1; i >= 0; i--)
#pragma acc loop independent
            for (int j = columns - 1; j >= 0; --j)
                b[i * columns + j] = a[j * rows + i] + 3;
#pragma acc update self(b)
        wrong += bad(b, 3);

#pragma acc parallel loop collapse(2) num_gangs(5)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                if (j == 5)
                    continue;
                c[i][j] = i + j;
                d[j][i] = i + j;
            }
#pragma acc update self(c, d)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                int there = j == 5 ? 0 : i + j;
                wrong += c[i][j] != there || d[j][i] != there;
            }

#pragma acc parallel loop collapse(3) num_gangs(11)
        for (int p = 0; p < PLANES; p++)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    b[(p * rows + i) * columns + j] = a[(p * columns + j) * rows + i];
#pragma acc update self(b)
        for (int k = 0; k < PLANES * ROWS * COLUMNS; k++) {
            int p = k / (ROWS * COLUMNS), i = k / COLUMNS % ROWS, j = k % COLUMNS;
            wrong += b[k] != (p * COLUMNS + j) * ROWS + i;
        }

#pragma acc parallel loop collapse(2) reduction(+ : sum)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                sum += a[j * rows + i];

        // The bound of the inner loop differs from row to row.
#pragma acc parallel loop gang
        for (int i = 0; i < rows; i++) {
            int most = i + 1;
#pragma acc loop vector
            for (int j = 0; j < most; j++)
                d[j][i] = -c[i][j];
        }
#pragma acc update self(d)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j <= i; j++)
                wrong += d[j][i] != -c[i][j];
    }
    printf("%d %d\n", wrong, sum == ROWS * COLUMNS / 2 * (ROWS * COLUMNS - 1) + (ROWS * COLUMNS - 1) / 2);
    return wrong;
}
