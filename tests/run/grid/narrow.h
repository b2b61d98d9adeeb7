// One set of nests with indices of type I, see narrow.c.

// As many columns as a block has then, with a block for each matrix.
static void NAME(products)(I batch, const double *a, const double *b, double *c)
{
#pragma acc parallel loop collapse(3) copyin(a[0:batch * 256], b[0:batch * 256]) copyout(c[0:batch * 256])
    for (I p = 0; p < batch; p++)
        for (I i = 0; i < 16; i++)
            for (I j = 0; j < 16; j++) {
                double s = 0;
                for (I k = 0; k < 16; k++)
                    s += a[(p * 16 + i) * 16 + k] * b[(p * 16 + k) * 16 + j];
                c[(p * 16 + i) * 16 + j] = s;
            }
}

// Fewer than a power of two, from a first one on and in steps, and rows that do not fill their last block.
static void NAME(columns)(I rows, double *x)
{
#pragma acc parallel loop gang copy(x[0:rows * 13])
    for (I i = 0; i < rows; i++) {
#pragma acc loop vector
        for (I j = 1; j < 12; j += 2)
            x[i * 13 + j] = x[i * 13 + j - 1] + i;
    }
#pragma acc parallel loop collapse(2) copy(x[0:rows * 13])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < 13; j++)
            x[i * 13 + j] += j;
#pragma acc parallel loop collapse(2) copy(x[0:rows * 13])
    for (I i = 0; i < rows; i++)
        for (I j = 5; j < 6; j++)
            x[i * 13 + j] -= 0.5;
#pragma acc parallel loop collapse(2) copy(x[0:rows * 13])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < 0; j++)
            x[i * 13 + j] = -1;
}

// Rows of a thread as well: a table that all rows have in common.
static void NAME(table)(I rows, const double *w, double *x)
{
#pragma acc parallel loop collapse(2) copyin(w[0:16]) copy(x[0:rows * 8])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < 8; j++) {
            double s = x[i * 8 + j];
            for (int k = 0; k < 16; k++)
                s = s * 0.5 + w[(j + k) % 16];
            x[i * 8 + j] = s;
        }
}

// One dimension with a loop in it: small blocks.
static void NAME(pairs)(I n, const double *a, double *x)
{
#pragma acc parallel loop copyin(a[0:n]) copyout(x[0:n])
    for (I i = 0; i < n; i++) {
        double s = 0;
        for (I j = 0; j < n; j++)
            s += a[j] < a[i] ? a[j] : a[i];
        x[i] = s;
    }
}

static void NAME(all)(I scale)
{
    fill();
    NAME(products)(scale, a, b, c);
    show(c, scale * 256);
    NAME(columns)(scale * 19, c);
    show(c, scale * 19 * 13);
    NAME(table)(scale * 24, a, c);
    show(c, scale * 24 * 8);
    NAME(pairs)(scale * 31, a, c);
    show(c, scale * 31);
}
