// The loops of recurrences.c for one type of index: I is the type, NAME(f) the function's name.

// Forwards, with stores to another array between a store and its load, and backwards.
static void NAME(solve)(I n, I m, const double *a, double *c, double *x)
{
#pragma acc parallel loop present(a, c, x)
    for (I s = 0; s < n; s++) {
        for (I k = 1; k < m; k++) {
            I at = k * n + s;
            double p = 1 / (4 - a[at] * c[at - n]);
            c[at] = a[at] * p;
            x[at] = (x[at] - a[at] * x[at - n]) * p;
        }
        for (I k = m - 1; k > 0; k--)
            x[(k - 1) * n + s] -= c[(k - 1) * n + s] * x[k * n + s];
    }
}

// A store in front of the load, and one behind the store.
static void NAME(between)(I n, double *x, double *y, double *z)
{
#pragma acc parallel num_gangs(1) vector_length(1) present(x, y, z)
    {
#pragma acc loop seq
        for (I k = 1; k < n; k++) {
            y[k] = 3 * k;
            x[k] = x[k - 1] + 1;
            z[k] = 0.5 * k;
        }
    }
}

// By pointers that move on, in rows of an array, and in steps that only the run knows, which may be none.
static void NAME(spelled)(I n, I m, I step, double *flat, int *q, short *w)
{
    double(*rows)[m] = (double(*)[m])flat;
#pragma acc parallel loop present(flat)
    for (I i = 0; i < n; i++)
        for (I j = 1; j < m; j++)
            rows[i][j] += 0.5 * rows[i][j - 1];
#pragma acc parallel num_gangs(1) vector_length(1) present(flat, q, w)
    {
        double *to = flat, *from = flat;
        for (I k = 1; k < n; k++) {
            to++;
            *to = *from++ + k;
        }
        for (I k = 1; k < n; k++)
            q[k * step] = 3 * q[(k - 1) * step] % 1009 + (int)k;
        for (I k = 1; k < n; k++) {
            w[k] = w[k - 1] * 7 + 1;
            q[k] += w[k];
        }
    }
}

// Stores that move in another way, that only some iterations do, and two iterations ago.
static void NAME(left)(I n, double *x, double *y)
{
#pragma acc parallel num_gangs(1) vector_length(1) present(x, y)
    {
        for (I k = 1; k < n / 2; k++) {
            x[k] = x[k - 1] + 1;
            y[2 * k] = k;
        }
        for (I k = 1; k < n; k++) {
            x[k] += x[k - 1];
            if (k % 3 == 0)
                y[k] = k;
        }
        for (I k = 2; k < n; k++)
            x[k] = x[k - 1] - 0.5 * x[k - 2];
    }
}

static void NAME(all)(I n, I m)
{
    fill();
#pragma acc data copy(a, x, y, q, w)
    {
        NAME(solve)(n, m, a, x, y);
        // The same array in two roles, and a row apart.
        NAME(solve)(n, m, a, y, y);
        NAME(solve)(n, m, a, x, x + n);
        NAME(solve)(n, m, a, x + n, x);
    }
    show();
#pragma acc data copy(a, x, y, q, w)
    {
        // Places in front of each other, the same, and behind.
        for (int to = 0; to < 4; to++)
            for (int from = 0; from < 4; from++)
                NAME(between)(n, x + 2, x + to, x + from);
        NAME(between)(n, x, y, a);
        NAME(between)(n, x, y, y);
    }
    show();
#pragma acc data copy(a, x, y, q, w)
    {
        NAME(spelled)(n, m, 1, x, q, w);
        NAME(spelled)(n, m, 0, y, q, w);
        NAME(spelled)(m, n, 3, y, q, w);
        NAME(left)(n, x, y);
        NAME(left)(n, x, x);
        NAME(left)(n, x + 1, x);
        NAME(left)(n, x, x + 1);
    }
    show();
}
