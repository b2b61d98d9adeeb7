// One set of nests with indices of type I, see columns.c.

static void NAME(product)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double s = 0;
            for (I k = 0; k < inner; k++)
                s += a[i * inner + k] * b[k * columns + j];
            c[i * columns + j] = s;
        }
}

// Pointers that are moved on.
static void NAME(pointers)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop gang copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; ++i) {
#pragma acc loop vector
        for (I j = 0; j != columns; ++j) {
            const double *row = a + i * inner, *column = b + j;
            double s = 0;
            for (I k = 0; k < inner; k++, column += columns)
                s += *row++ * *column;
            c[i * columns + j] = s;
        }
    }
}

// Variables of a row, of a column and of both, one of them with a number of additions of the column's own.
static void NAME(mixed)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double of_row = 1, of_column = 2, part = 3;
            for (I k = 0; k < inner; k++) {
                of_row += a[i * inner + k];
                of_column -= b[k * columns + j] * of_row;
            }
            for (I k = 0; k < j % 3; k++)
                part += k;
            c[i * columns + j] = of_row * of_column * part;
        }
}

// A column's variable that some rows change, and elements that are written before they are read.
static void NAME(branches)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:inner * columns]) copy(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double column = b[j];
            if (i % 2)
                column += 1;
            c[i * columns + j] += column;
            for (I k = 0; k < inner; k++)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

// What a sequential loop updates in memory: one place of each row and column, which may be where another argument is.
static void NAME(in_memory)(I n, I m, I inner, double *x, double *y, double *z)
{
#pragma acc parallel loop gang present(x[0:n * m], y[0:inner * m], z[0:n * m])
    for (I i = 0; i < n; i++)
#pragma acc loop vector
        for (I j = 0; j < m; j++) {
            z[i * m + j] = z[i * m + j] * 0.25 + 1;
            for (I k = 0; k < inner; k++)
                z[i * m + j] += x[i * m + j] * y[k * m + j] * 0.001;
        }
}
