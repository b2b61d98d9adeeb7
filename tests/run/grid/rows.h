// One set of nests with indices of type I, see rows.c.

// A column of b is the same for all rows.
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

// The same with pointers that are moved on, and the sum in memory.
static void NAME(pointers)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop gang worker copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; ++i) {
#pragma acc loop vector
        for (I j = 0; j != columns; ++j) {
            const double *row = a + i * inner, *column = b + j, *end = row + inner;
            c[i * columns + j] = 0;
            for (I k = 0; k < inner; k++, column += columns)
                c[i * columns + j] += row[k] * *column;
            if (row == end)
                c[i * columns + j] = -1;
        }
    }
}

// Windows overlap.
static void NAME(window)(I rows, I columns, const double *in, const double *w, double *out)
{
#pragma acc parallel loop collapse(2) copyin(in[0:rows * columns], w[0:9]) copy(out[0:rows * columns])
    for (I i = 1; i < rows - 1; i++)
        for (I j = 1; j < columns - 1; j++) {
            double s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += in[(i + p - 1) * columns + j + q - 1] * w[p * 3 + q];
            out[i * columns + j] = s;
        }
}

// A window that is read twice, with a hole: eight elements, of which rows have some in common.
static void NAME(edges)(I rows, I columns, const double *in, double *out)
{
#pragma acc parallel loop collapse(2) copyin(in[0:rows * columns]) copy(out[0:rows * columns])
    for (I i = 1; i < rows - 1; i++)
        for (I j = 1; j < columns - 1; j++) {
            const double *above = in + (i - 1) * columns + j, *here = above + columns, *below = here + columns;
            double x = above[1] + 2 * here[1] + below[1] - *(above - 1) - 2 * *(here - 1) - *(below - 1);
            double y = *(below - 1) + 2 * below[0] + below[1] - *(above - 1) - 2 * above[0] - above[1];
            out[i * columns + j] = x * x + y * y;
        }
}

// A transposition: rows have no loads in common, but are under way together.
static void NAME(turned)(I rows, I columns, const double *in, double *out)
{
#pragma acc parallel loop gang copyin(in[0:rows * columns]) copyout(out[0:rows * columns])
    for (I i = 0; i < rows; i++) {
#pragma acc loop vector
        for (I j = 0; j < columns; j++)
            out[i * columns + j] = in[j * rows + i];
    }
}

// A triangle: the bounds of the inner loop are a row's own, so it is left alone.
static void NAME(triangle)(I rows, I columns, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * 9], b[0:9 * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double s = 0;
            for (I k = 0; k < i % 9; k++)
                s += a[i * 9 + k] * b[k * columns + j];
            c[i * columns + j] = s;
        }
}

// Branches, a row's own values in memory before they are loaded again, and a table that all rows have in common.
static void NAME(own)(I rows, I columns, const double *table, double *x, double *y)
{
#pragma acc parallel loop collapse(2) copyin(table[0:16]) copy(x[0:rows * columns], y[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            I at = i * columns + j;
            double t = 0;
            for (int k = 0; k < 16; k++) {
                double v = table[k];
                x[at] += v;
                if (i % 3 == 1 && k % 2)
                    t -= v * x[at];
                else
                    t += v;
            }
            y[at] += t + x[at];
        }
}

// The inner loop is left early.
static void NAME(first)(I rows, I columns, I inner, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:inner * columns]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            I k = 0;
            for (; k < inner; k++)
                if (a[i * inner + k] < b[k * columns + j])
                    break;
            c[i * columns + j] = k;
        }
}

static void NAME(all)(I rows, I columns)
{
    fill();
    NAME(product)(rows, columns, INNER, a, b, c);
    show(c, rows * columns);
    NAME(pointers)(rows, columns, INNER, a, b, c);
    show(c, rows * columns);
    NAME(window)(rows, columns, a, w, c);
    show(c, rows * columns);
    NAME(edges)(rows, columns, a, c);
    show(c, rows * columns);
    NAME(turned)(rows, columns, a, c);
    show(c, rows * columns);
    NAME(triangle)(rows, columns, a, b, c);
    show(c, rows * columns);
    NAME(own)(rows, columns, w, a, c);
    show(a, rows * columns);
    show(c, rows * columns);
    NAME(first)(rows, columns, INNER, a, b, c);
    show(c, rows * columns);
}
