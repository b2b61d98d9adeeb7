// One set of nests with indices of type I, see guarded.c.

static void NAME(triangle)(I n, I inner, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop gang copyin(a[0:n * inner], b[0:n * inner]) copy(c[0:n * n])
    for (I i = 0; i < n; i++) {
#pragma acc loop vector
        for (I j = 0; j <= i; j++) {
            double sum = 0;
            for (I k = 0; k < inner; k++)
                sum += a[j * inner + k] * b[i * inner + k] + b[j * inner + k] * a[i * inner + k];
            c[i * n + j] = 0.5 * c[i * n + j] + sum;
        }
    }
}

static void NAME(skipped)(I rows, I columns, I inner, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:columns * inner]) copy(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            if (j > i + 300)
                continue;
            double sum = c[i * columns + j];
            for (I k = 0; k < inner; k++)
                sum += a[i * inner + k] * b[j * inner + k];
            c[i * columns + j] = sum;
        }
}

// What is at the edges is copied, and variables of outside are changed in the condition.
static void NAME(inside)(I rows, I columns, I r, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * columns], b[0:25]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double last = b[j % 5];
            if (i >= r && j >= r && i + r < rows && j + r < columns) {
                double sum = 0;
                for (I y = 0; y <= 2 * r; y++)
                    for (I x = 0; x <= 2 * r; x++) {
                        last = a[(i + y - r) * columns + j + x - r];
                        sum += last * b[y * 5 + x];
                    }
                c[i * columns + j] = sum;
            } else {
                c[i * columns + j] = a[i * columns + j];
            }
            c[i * columns + j] += last;
        }
}

// Every third row.
static void NAME(some)(I rows, I columns, I inner, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * inner], b[0:inner * columns]) copy(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++)
            if (i % 3 != 1 || i < 40) {
                double s = 0;
                for (I k = 0; k < inner; k++)
                    s += a[i * inner + k] * b[k * columns + j];
                c[i * columns + j] -= s;
            }
}
