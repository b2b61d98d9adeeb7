// Tiles of all shapes: loops that count down or in steps, empty ones, tiles larger than loops, three dimensions, blocks that a GPU
// cannot have; a transposition in three spellings.
// launches: 13
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, COLUMNS = 71 };

static void transpose_arrays(int a[ROWS][COLUMNS], int b[COLUMNS][ROWS])
{
#pragma acc parallel loop tile(8, 8) copyin(a[0:ROWS]) copyout(b[0:COLUMNS])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            b[j][i] = a[i][j];
}

#define AT(p, i, j, n) (p)[(size_t)(i) * (n) + (j)]

static void transpose_macros(size_t rows, size_t columns, const int *a, int *b)
{
#pragma acc kernels copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
#pragma acc loop independent tile(4, 16)
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            AT(b, j, i, rows) = AT(a, i, j, columns);
}

static void transpose_pointers(unsigned rows, unsigned columns, const int *restrict a, int *restrict b)
{
#pragma acc parallel loop gang vector tile(*, 32) copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
    for (unsigned i = 0; i < rows; ++i)
        for (unsigned j = columns; j > 0; --j) {
            const int *from = a + i * columns;
            b[(j - 1) * rows + i] = from[j - 1];
        }
}

static long check(const char *what, const int *p, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)p[i];
    printf("%s %lu\n", what, sum);
    return 0;
}

int main(void)
{
    static int a[ROWS][COLUMNS], b[COLUMNS][ROWS], cube[5][9][33];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i / COLUMNS][i % COLUMNS] = i * 7 % 1000;
    transpose_arrays(a, b);
    check("arrays", b[0], ROWS * COLUMNS);
    transpose_macros(ROWS, COLUMNS, a[0], b[0]);
    check("macros", b[0], ROWS * COLUMNS);
    transpose_pointers(ROWS, COLUMNS, a[0], b[0]);
    check("pointers", b[0], ROWS * COLUMNS);

    // Down, in steps, and an inclusive end.
#pragma acc parallel loop tile(3, 5) copy(a)
    for (int i = ROWS - 1; i >= 0; i -= 2)
        for (short j = 1; j <= COLUMNS - 1; j += 3)
            a[i][j] += i * 100 + j;
    check("steps", a[0], ROWS * COLUMNS);

    // Larger than the loop, also by far.
#pragma acc parallel loop tile(64, 1000000) copy(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] ^= i + j;
    check("large", a[0], ROWS * COLUMNS);

    // No iterations.
    int none = 0;
#pragma acc parallel loop tile(8, 32) copy(a)
    for (int i = 0; i < none; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = -1;
#pragma acc parallel loop tile(8, 32) copy(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 5; j < 5 - none; j++)
            a[i][j] = -1;
    check("empty", a[0], ROWS * COLUMNS);

    // Three dimensions; the collapsed third says nothing of blocks that a GPU can have.
#pragma acc parallel loop tile(2, 2, 16) copyout(cube)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 9; j++)
            for (int k = 0; k < 33; k++)
                cube[i][j][k] = i * 10000 + j * 100 + k;
    check("cube", cube[0][0], 5 * 9 * 33);
#pragma acc parallel loop tile(3, *, *) copy(cube)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 9; j++)
            for (int k = 0; k < 33; k++)
                cube[i][j][k] *= 3;
    check("stars", cube[0][0], 5 * 9 * 33);

    // One dimension, sums, a vector length of its own.
    long sum = 0;
#pragma acc parallel loop tile(64) reduction(+ : sum) copyin(a)
    for (int i = 0; i < ROWS * COLUMNS; i++)
        sum += a[i / COLUMNS][i % COLUMNS] % 11;
    printf("%ld\n", sum);
    sum = 0;
#pragma acc parallel loop gang vector tile(16, 16) vector_length(64) reduction(+ : sum) copyin(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += a[i][j] % 13;
    printf("%ld\n", sum);

    // Loops in a tile, and what leaves an iteration early.
#pragma acc parallel loop tile(4, 8) copyin(a) copy(b)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++) {
            if ((i + j) % 3 == 0)
                continue;
            int s = 0;
            for (int k = 0; k < 10; k++)
                s += a[i][k] * a[k][j];
            b[j][i] = s;
        }
    check("loops", b[0], ROWS * COLUMNS);
#pragma acc parallel loop seq tile(4, 4) copy(a)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLUMNS; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 1009;
    check("in order", a[0], ROWS * COLUMNS);
    return 0;
}
