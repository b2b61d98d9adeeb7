// Tiles: sizes that do not divide the counts, `*`, one and three dimensions, counters of several types, that go down or in
// steps, jumps, sums, and loops that have no tiles to run in.
// launches: 12
#include <stdio.h>

#define ROWS 13
#define COLUMNS 18
#define SIZE (2 << 1)

static int a[ROWS][COLUMNS], was[ROWS * COLUMNS], wrong;

static void start(void)
{
    for (int n = 0; n < ROWS * COLUMNS; n++)
        (&a[0][0])[n] = was[n] = n;
}

static void all_are(int factor, int what)
{
    for (int n = 0; n < ROWS * COLUMNS; n++)
        if ((&a[0][0])[n] != factor * was[n])
            wrong |= what;
    start();
}

static void down(size_t rows, unsigned short columns, int (*b)[columns])
{
#pragma acc parallel loop tile(5, *) copy(b[0:rows])
    for (size_t i = rows; i > 0; i--)
        for (unsigned short j = 0; j < columns; j += 3)
            for (int k = j; k < j + 3; k++)
                b[i - 1][k] *= 2;
}

int main(void)
{
    start();
#pragma acc parallel loop tile(4, 8) copy(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] *= 2;
    all_are(2, 1);
#pragma acc parallel loop tile(*, 3) copy(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] *= 3;
    all_are(3, 2);
#pragma acc parallel loop gang vector tile(SIZE, SIZE) copy(a)
    for (long i = ROWS - 1; i >= 0; i--)
        for (unsigned j = 0; j < COLUMNS; j++) {
            if (j % 2) {
                a[i][j] *= 4;
                continue;
            }
            a[i][j] *= 4;
        }
    all_are(4, 4);
    down(ROWS, COLUMNS, a);
    all_are(2, 8);
#pragma acc kernels loop independent tile(100, 1) copy(a)
    for (int i = 0; i != ROWS; ++i)
        for (int j = COLUMNS; j > 0; j -= 2)
            a[i][j - 1] *= 5, a[i][j - 2] *= 5;
    all_are(5, 16);
    long sum = 0, expected = 0;
#pragma acc parallel loop tile(8, 8) reduction(+:sum) copyin(a)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += a[i][j] * (i + 1);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            expected += a[i][j] * (i + 1);
    wrong |= (sum != expected) * 32;
#pragma acc parallel loop tile(7) copy(a)
    for (int n = 0; n < ROWS; n++)
        for (int j = 0; j < COLUMNS; j++)
            a[n][j] *= 6;
    all_are(6, 64);
    static int b[5][6][7];
#pragma acc parallel loop tile(2, 4, *) copyout(b)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 7; k++)
                b[i][j][k] = i * 100 + j * 10 + k;
    for (int n = 0; n < 210; n++)
        if ((&b[0][0][0])[n] != n / 42 * 100 + n / 7 % 6 * 10 + n % 7)
            wrong |= 128;
#pragma acc parallel copy(a)
    {
#pragma acc loop gang worker tile(3, 2)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                a[i][j] *= 7;
    }
    all_are(7, 256);
#pragma acc parallel copy(a)
#pragma acc loop gang
    for (int i = 0; i < ROWS; i++)
#pragma acc loop vector tile(4, 2)
        for (int j = 0; j < COLUMNS / 6; j++)
            for (int k = 0; k < 6; k++)
                a[i][j * 6 + k] *= 8;
    all_are(8, 512);
    // Iterations that depend on each other run in their order.
#pragma acc parallel loop seq tile(4, 4) copy(a)
    for (int i = 1; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = a[i - 1][(j + 1) % COLUMNS] + 1;
    int last = a[ROWS - 1][0];
    wrong |= (last != (ROWS - 1) % COLUMNS + ROWS - 1) * 1024;
    // No iterations.
    int none = wrong;
#pragma acc parallel loop tile(4, 4) copy(a, none)
    for (int i = 0; i < none; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = 0;
    wrong |= (a[ROWS - 1][0] != last) * 2048;
    printf("%d\n", wrong);
    return 0;
}
