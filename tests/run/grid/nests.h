// The nests of covered.c for one type of index: I is the type, NAME(f) the function's name.

// One dimension, with a body that is too long to have several iterations at once.
static void NAME(row)(I n, double *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (I i = 0; i < n; i++) {
        double s = a[i];
        for (int t = 0; t < 3; t++)
            s = s * 0.5 + t;
        a[i] = s + i;
    }
}

// Falling, in steps, and with an iteration that ends early.
static void NAME(falling)(I n, int *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (I i = n; i > 0; i -= 3) {
        if (i % 2 == 0)
            continue;
        int s = 0;
        for (I k = 0; k < 4; k++) {
            if (k == 2)
                continue;
            s += (int)(i + k);
        }
        a[i - 1] += s;
    }
}

static void NAME(plane)(I rows, I columns, const double *a, double *b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * columns]) copy(b[0:rows * columns])
    for (I i = 1; i < rows; i++)
        for (I j = 1; j <= columns - 1; j++)
            b[i * columns + j] = a[(i - 1) * columns + j] - a[i * columns + j - 1];
}

// Loops of their own, not collapsed; one bound depends on neither of the others.
static void NAME(levels)(I n, I m, I l, int *a)
{
#pragma acc parallel copy(a[0:n * m * l])
    {
#pragma acc loop gang
        for (I i = 0; i < n; i++) {
            I base = i * m;
#pragma acc loop worker
            for (I j = 0; j < m; j++) {
                I last = l - 1;
#pragma acc loop vector
                for (I k = 0; k <= last; k += 2)
                    a[(base + j) * l + k] += (int)(100 * i + 10 * j + k);
            }
        }
    }
}

// Triangles, in the spellings of their bounds: what the grid covers is a box around them.
static void NAME(triangle)(I n, int *a)
{
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = 0; j < i; j++)
            a[i * n + j] += (int)(i - j);
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = i + 1; j < n; j++)
            a[i * n + j] += (int)(2 * i + j);
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = n; i > 0; i--) {
#pragma acc loop vector
        for (I j = i; j > 0; j--)
            a[(i - 1) * n + j - 1] += (int)(3 * i - j);
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = 0; j <= i; j += 3) {
            if (j == 6)
                continue;
            a[i * n + j] += (int)(i + 5 * j);
        }
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (size_t j = i; j < (size_t)n; j++)
            a[(size_t)i * n + j] += (int)(7 * i + j);
    }
}

// Tetrahedra, rows that begin in front of the array or end behind it where there is nothing to do, sums of two counters, bands, every
// other row, and bounds that wrap.
static void NAME(slopes)(I n, I m, int *a)
{
#pragma acc parallel loop gang copy(a[0:n * n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop worker
        for (I j = i; j < n; j++) {
#pragma acc loop vector
            for (I k = 0; k <= i; k++)
                a[(i * n + j) * n + k] += (int)(i + 2 * j + 3 * k);
        }
    }
#pragma acc parallel loop gang copy(a[0:n * m])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = 2 * i + 1; j < m; j++)
            a[i * m + j] += (int)(i - j);
    }
#pragma acc parallel loop gang worker collapse(2) copy(a[0:n * n * 2 * n])
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++) {
#pragma acc loop vector
            for (I k = 0; k < i + j; k++)
                a[(i * n + j) * 2 * n + k] += (int)(i + 2 * j + 3 * k);
        }
#pragma acc parallel loop gang copy(a[0:n * (n + 3)])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = i; j < i + 3; j++)
            a[i * (n + 3) + j] += (int)(i + j);
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 1; i < n; i += 2) {
#pragma acc loop vector
        for (I j = 0; j < n - i; j++)
            a[i * n + j] += (int)(i + j);
    }
#pragma acc parallel loop gang copy(a[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = i - 1; j < n; j++)
            if (j + 1 > 0)
                a[i * n + j] += (int)(i + j);
    }
}

// Four dimensions: the outer two share one of the grid.
static void NAME(four)(I n, I m, int *a)
{
#pragma acc parallel loop collapse(4) copy(a[0:n * m * n * m])
    for (I h = 0; h < n; h++)
        for (I i = m; i > 0; i--)
            for (I j = 0; j < n; j++)
                for (I k = 0; k < m; k++)
                    a[((h * m + i - 1) * n + j) * m + k] = (int)(1000 * h + 100 * i + 10 * j + k);
}

// The grid is the user's.
static void NAME(asked)(I rows, I columns, int *a)
{
#pragma acc parallel loop collapse(2) num_gangs(3) copy(a[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++)
            a[i * columns + j] = (int)(i * 7 + j);
}

// Two loops with the same schedule, on a queue.
static void NAME(queued)(I rows, I columns, int *a)
{
#pragma acc data copy(a[0:rows * columns])
    {
#pragma acc parallel loop gang(static:1) vector collapse(2) async(3)
        for (I i = 0; i < rows; i++)
            for (I j = 0; j < columns; j++)
                a[i * columns + j] = (int)(i * 3 + j);
#pragma acc parallel async(3)
        {
#pragma acc loop gang(static:*) vector collapse(2)
            for (I i = 0; i < rows; i++)
                for (I j = 0; j < columns; j++)
                    a[i * columns + j] += 1;
#pragma acc loop gang(static:*) vector collapse(2)
            for (I i = 0; i < rows; i++)
                for (I j = 0; j < columns; j++)
                    a[i * columns + j] *= 2;
        }
#pragma acc wait(3)
    }
}
