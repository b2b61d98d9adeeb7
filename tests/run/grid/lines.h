// One set of nests with indices of type I, see lines.c.

// A product with a transposed matrix.
static void NAME(product)(I rows, I columns, I length, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:rows * length], b[0:columns * length]) copyout(c[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double sum = 0;
            for (I k = 0; k < length; k++)
                sum += a[i * length + k] * b[j * length + k];
            c[i * columns + j] = sum;
        }
}

// The same from the second row, column and element on, added up in memory; one matrix is the other's transposed.
static void NAME(updated)(I rows, I columns, I length, const double *a, const double *b, double *c)
{
#pragma acc parallel loop gang copyin(a[0:rows * length], b[0:columns * length]) copy(c[0:rows * columns])
    for (I i = 1; i < rows; i++)
#pragma acc loop vector
        for (I j = 1; j < columns; j++) {
            c[i * columns + j] *= 0.5;
            for (I k = 1; k < length; k++)
                c[i * columns + j] += 2 * a[k * rows + i] * b[j * length + k];
        }
}

// Distances, the nearest of which is remembered with its place.
static void NAME(nearest)(I rows, I columns, I length, const float *x, const float *y, float *distance, short *last)
{
#pragma acc parallel loop collapse(2) copyin(x[0:rows * length], y[0:columns * length]) copyout(distance[0:rows * columns], last[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            float sum = 0;
            short at = -1;
            for (I k = 0; k < length; k++) {
                float d = x[i * length + k] - y[j * length + k];
                if (d * d > sum)
                    at = (short)k;
                sum += d * d;
            }
            distance[i * columns + j] = sum;
            last[i * columns + j] = at;
        }
}

// A triangle, from two matrices in both orders.
static void NAME(triangle)(I rows, I length, const double *a, const double *b, double *c)
{
#pragma acc parallel loop gang copyin(a[0:rows * length], b[0:rows * length]) copy(c[0:rows * rows])
    for (I i = 0; i < rows; i++)
#pragma acc loop vector
        for (I j = 0; j <= i; j++) {
            double sum = c[i * rows + j];
            for (I k = 0; k < length; k++)
                sum += a[j * length + k] * b[i * length + k] + b[j * length + k] * a[i * length + k];
            c[i * rows + j] = sum;
        }
}

// Products of several pairs of matrices.
static void NAME(batched)(I batch, I rows, I columns, I length, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(3) copyin(a[0:batch * rows * length], b[0:batch * columns * length]) copyout(c[0:batch * rows * columns])
    for (I m = 0; m < batch; m++)
        for (I i = 0; i < rows; i++)
            for (I j = 0; j < columns; j++) {
                double sum = 0;
                for (I k = 0; k < length; k++)
                    sum += a[(m * rows + i) * length + k] * b[(m * columns + j) * length + k];
                c[(m * rows + i) * columns + j] = sum;
            }
}

static void NAME(all)(const char *name)
{
    static const int sizes[][3] = {{1, 1, 5}, {1, 140, 17}, {70, 1, 33}, {33, 65, 0}, {64, 128, 16}, {40, 131, 1}, {90, 200, 18}};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        I rows = (I)sizes[s][0], columns = (I)sizes[s][1], length = (I)sizes[s][2];
        start();
        NAME(product)(rows, columns, length, numbers, factors, results);
        show(name, "product");
        NAME(updated)(rows, columns, length, numbers, factors, results);
        show(name, "updated");
        NAME(nearest)(rows, columns, length, reals, reals + 50, sizes_of, shorts);
        show(name, "nearest");
        NAME(triangle)(rows, length, numbers, factors, results);
        show(name, "triangle");
        NAME(batched)(3, rows, columns, length, numbers, factors, results);
        show(name, "batched");
    }
}

#undef I
#undef NAME
