// The loops of few.c for counters of type I.

static void NAME(columns)(I n, I rows)
{
#pragma acc parallel loop copyin(a[0:n * rows]) copyout(b[0:n])
    for (I j = 0; j < n; j++) {
        double s = 0;
        for (I i = 0; i < rows; i++)
            s += a[i * n + j] / (i + 3);
        b[j] = s;
    }
    show("columns", n, rows);
}

static void NAME(in_place)(I n, I rows)
{
#pragma acc kernels copyin(a[0:n * rows]) copyout(b[0:n])
#pragma acc loop independent
    for (I j = 0; j < n; j++) {
        b[j] = 0;
        for (I i = 0; i < rows; i++) {
            if (i == 5)
                continue;
            b[j] = b[j] + a[i * n + j] * (i % 3);
        }
    }
    show("in place", n, rows);
}

static void NAME(given)(I n, I rows)
{
#pragma acc parallel loop gang vector vector_length(64) copyin(a[0:n * rows]) copyout(b[0:n])
    for (I j = 0; j < n; j++) {
        const double *p = a + j;
        b[j] = -1;
        for (I i = rows; i-- > 0; p += n)
            b[j] += *p * 0.5;
    }
    show("given", n, rows);
}

static void NAME(all)(void)
{
    const I sizes[][2] = {{1, 1}, {1, 300}, {31, 40}, {33, 129}, {1000, 130}, {4100, 17}, {9000, 3}, {40000, 2}, {7, 0}};
    for (int k = 0; k < (int)(sizeof sizes / sizeof sizes[0]); k++) {
        NAME(columns)(sizes[k][0], sizes[k][1]);
        NAME(in_place)(sizes[k][0], sizes[k][1]);
        NAME(given)(sizes[k][0], sizes[k][1]);
    }
}
