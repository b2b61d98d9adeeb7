/* Each nest in the type of index I, with names that end in SUFFIX. */

#define AT(row, column, width) ((row) * (width) + (column))

/* Both directions, flat. */
static void NAME(flat)(I rows, I columns, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++)
            b[AT(i, j, columns)] = a[AT(j, i, rows)] + 1;
}

/* Arrays of arrays, rows over gangs and columns over lanes, with a condition. */
static void NAME(nested)(I rows, I columns, double *flat_a, double *flat_b)
{
    double(*a)[rows] = (double(*)[rows])flat_a, (*b)[columns] = (double(*)[columns])flat_b;
#pragma acc parallel loop gang copyin(a[0:columns][0:rows]) copy(b[0:rows][0:columns])
    for (I i = 0; i < rows; i++)
#pragma acc loop vector
        for (I j = 0; j < columns; j++)
            if (a[j][i] > 3)
                b[i][j] -= a[j][i];
}

/* Only along the columns. */
static void NAME(columns)(I rows, I columns, double *a, double *b)
{
#pragma acc parallel loop tile(8, 8) copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++)
            b[j * rows + i] = 2 * a[i + rows * j];
}

/* Three dimensions, the outer one as well. */
static void NAME(three)(I n, I rows, I columns, double *a, double *b)
{
#pragma acc parallel loop collapse(3) copyin(a[0:n * rows * columns]) copyout(b[0:n * rows * columns])
    for (I k = 0; k < n; k++)
        for (I i = 0; i < rows; i++)
            for (I j = 0; j < columns; j++)
                b[(k * rows + i) * columns + j] = a[(k * columns + j) * rows + i] - k;
}

/* What is in a loop counts. */
static void NAME(sums)(I rows, I columns, double *a, double *b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * columns]) copyout(b[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double s = 0;
            for (I k = 0; k < 9; k++)
                s += a[j * rows + i] * k + a[(j + k) % columns * rows + i];
            b[i * columns + j] = s;
        }
}

static void NAME(all)(I rows, I columns)
{
    enum { MOST = 3 * 200 * 200 };
    static double a[MOST], b[MOST];
    for (int k = 0; k < MOST; k++)
        a[k] = k % 1009, b[k] = k % 5;
    NAME(flat)(rows, columns, a, b);
    show(b, rows * columns);
    NAME(nested)(rows, columns, a, b);
    show(b, rows * columns);
    NAME(columns)(rows, columns, a, b);
    show(b, rows * columns);
    NAME(three)(3, rows, columns, a, b);
    show(b, 3 * rows * columns);
    NAME(sums)(rows, columns, a, b);
    show(b, rows * columns);
}
