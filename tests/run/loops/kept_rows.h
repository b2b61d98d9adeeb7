// One set of loops along rows with indices of type I, see kept_rows.c. All sums are exact.

// The largest element, a sum, the results.
static void NAME(scaled)(I rows, I n, const double *restrict from, double *restrict to)
{
#pragma acc parallel loop gang present(from[0:rows * n], to[0:rows * n])
    for (I i = 0; i < rows; i++) {
        double most = -1e30, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (I j = 0; j < n; j++)
            most = fmax(most, from[i * n + j]);
#pragma acc loop vector reduction(+:sum)
        for (I j = 0; j < n; j++)
            sum += from[i * n + j] - most;
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            to[i * n + j] = (from[i * n + j] - most) * 0.5 + sum;
    }
}

// Pointers to rows; what one loop stores the next one takes; `to` may be `from`, which is loaded again behind it.
static void NAME(stored)(I rows, I n, double *from, double *to, double *last)
{
#pragma acc parallel loop gang vector_length(32) present(from[0:rows * n], to[0:rows * n], last[0:rows * n])
    for (I i = 0; i < rows; i++) {
        double *a = from + i * n, *b = to + i * n, *c = last + i * n, most = 0, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (I j = 0; j < n; ++j)
            if (a[j] > most)
                most = a[j];
#pragma acc loop vector reduction(+:sum)
        for (I j = 0; j < n; ++j) {
            b[j] = most - a[j];
            sum += b[j];
        }
#pragma acc loop vector
        for (I j = 0; j < n; ++j) {
            b[j] -= sum;
            c[j] = a[j] + b[j] * 2;
        }
    }
}

// Rows of workers, in place, of numbers of 16 and 32 bits; a division that only elements have.
static void NAME(divided)(I rows, I n, short *s, int *w)
{
#pragma acc parallel loop gang worker present(s[0:rows * n], w[0:rows * n])
    for (I i = 0; i < rows; i++) {
        int sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (I j = 0; j < n; j++)
            sum += s[i * n + j] + w[i * n + j];
#pragma acc loop vector
        for (I j = 0; j < n; j++) {
            s[i * n + j] = (short)(s[i * n + j] + sum % 16);
            w[i * n + j] = sum / w[i * n + j] + 1;
        }
        int again = 0;
#pragma acc loop vector reduction(+:again)
        for (I j = 0; j < n; j++)
            if (s[i * n + j] % 3)
                again += w[i * n + j];
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            w[i * n + j] += again;
    }
}

// The gang writes an element, some iterations do, and those of a shorter loop; each time the rows are others.
static void NAME(changed)(I rows, I n, double *a, double *b, double *total)
{
#pragma acc parallel loop gang present(a[0:rows * n], b[0:rows * n], total[0:2 * rows])
    for (I i = 0; i < rows; i++) {
        double sum = 0, again = 0;
#pragma acc loop vector reduction(+:sum)
        for (I j = 0; j < n; j++)
            sum += a[i * n + j];
        if (n > 3)
            a[i * n + n / 2] = sum;
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            if (a[i * n + j] > 4)
                b[i * n + j] = a[i * n + j];
#pragma acc loop vector
        for (I j = 0; j < n / 2; j++)
            a[i * n + 2 * j] += 3;
#pragma acc loop vector reduction(+:again)
        for (I j = 0; j < n; j++)
            again += a[i * n + j] * 2 + b[i * n + j];
        total[2 * i] = sum;
        total[2 * i + 1] = again;
    }
}

// Functions of the same number, which is another one behind the second loop, and in each iteration of the last.
static void NAME(functions)(I rows, I n, const double *a, double *b, double *total)
{
#pragma acc parallel loop gang vector_length(64) present(a[0:rows * n], b[0:rows * n], total[0:2 * rows])
    for (I i = 0; i < rows; i++) {
        double low = 1, sum = 0, most = 0;
#pragma acc loop vector reduction(max:most)
        for (I j = 0; j < n; j++)
            most = fmax(most, sqrt(a[i * n + j] + low) / 3);
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            b[i * n + j] = sqrt(a[i * n + j] + low) / 3 + most;
        low = most;
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            b[i * n + j] += sqrt(a[i * n + j] + low) / 3;
#pragma acc loop vector reduction(max:sum)
        for (I j = 0; j < n; j++)
            sum = fmax(sum, sqrt(a[i * n + j] + low) / 3 + sqrt(sum));
        total[2 * i] = low;
        total[2 * i + 1] = most;
    }
}

// What a loop stores and another one stores again: nobody has read it, other iterations have, the gang has, or the second loop is
// not come to.
static void NAME(overwritten)(I rows, I n, double *a, double *b, double *total)
{
#pragma acc parallel loop gang present(a[0:rows * n], b[0:rows * n], total[0:2 * rows])
    for (I i = 0; i < rows; i++) {
        double sum = 0, back = 0;
#pragma acc loop vector reduction(+:sum)
        for (I j = 0; j < n; j++) {
            a[i * n + j] = a[i * n + j] * 2 + (double)i;
            sum += a[i * n + j];
        }
#pragma acc loop vector reduction(+:back)
        for (I j = 0; j < n; j++) {
            a[i * n + j] -= sum;
            back += a[i * n + j];
        }
#pragma acc loop vector
        for (I j = 0; j < n; j++)
            b[i * n + j] = a[i * n + n - 1 - j];
        if (n > 40)
            total[2 * i] = a[i * n + 40];
#pragma acc loop vector
        for (I j = 0; j < n; j++) {
            a[i * n + j] += 1;
            b[i * n + j] += 2;
        }
        if (i % 2)
            continue;
#pragma acc loop vector
        for (I j = 0; j < n; j++) {
            a[i * n + j] += 8;
            b[i * n + j] += back;
        }
    }
}

static void NAME(all)(I n)
{
    I rows = n > 2500 ? 4 : ROWS;
    start();
#pragma acc data copy(x, y, z, shorts, whole, sums)
    {
        NAME(scaled)(rows, n, x, y);
        NAME(stored)(rows, n, x, z, y);
        NAME(stored)(rows, n, x, x, z);
        NAME(divided)(rows, n, shorts, whole);
        NAME(changed)(rows, n, y, z, sums);
    }
    show("exact", (long)rows, (long)n);
    start();
#pragma acc data copy(x, y, z, sums)
    {
        NAME(overwritten)(rows, n, x, y, sums);
        NAME(overwritten)(rows, n, z, x, sums);
    }
    show("overwritten", (long)rows, (long)n);
    start();
#pragma acc data copy(x, y, sums)
    NAME(functions)(rows, n, x, y, sums);
    show("functions", (long)rows, (long)n);
}

#undef I
#undef NAME
