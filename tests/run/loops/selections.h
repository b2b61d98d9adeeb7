// The loops of selections.c for one type of index: I is the type, NAME(f) the function's name.

// The greatest of each column, by a condition and by an expression; ties go to the first and to the last one. No element, one, many.
static void NAME(columns)(I n, I m, const float *x, I *first, I *last)
{
#pragma acc parallel loop copyin(x[0:n * (m ? m : 1)]) copyout(first[0:n], last[0:n])
    for (I i = 0; i < n; i++) {
        I best = 0, other = 0;
        for (I j = 1; j < m; j++)
            if (x[j * n + i] > x[best * n + i])
                best = j;
        for (I j = 0; j < m; j++)
            other = x[j * n + i] < x[other * n + i] ? other : j;
        first[i] = best;
        last[i] = other;
    }
}

// Backwards, through a table, with a sum of what was chosen on the way.
static void NAME(table)(I n, I m, const double *x, const int *order, double *sums)
{
#pragma acc parallel loop copyin(x[0:n * m], order[0:m]) copyout(sums[0:n])
    for (I i = 0; i < n; i++) {
        I best = m - 1;
        double sum = 0;
        for (I j = m; j-- > 0;) {
            sum += x[i * m + order[best]];
            if (x[i * m + order[j]] <= x[i * m + order[best]])
                best = j;
        }
        sums[i] = sum + best;
    }
}

// What must be loaded again: the array is written, the index is used with the counter, and is set twice.
static void NAME(again)(I n, I m, float *x, const float *y, I *chosen)
{
#pragma acc parallel loop copy(x[0:n * m], chosen[0:3 * n]) copyin(y[0:n * m + m])
    for (I i = 0; i < n; i++) {
        I best = 0, moved = 0, twice = 0;
        for (I j = 1; j < m; j++) {
            if (x[i * m + j] > x[i * m + best])
                best = j;
            x[i * m + j / 2] -= 0.5f;
        }
        for (I j = 1; j < m; j++)
            if (y[i * m + j] > y[i + moved + j])
                moved = j;
        for (I j = 1; j < m; j++) {
            if (y[i * m + j] > y[i * m + twice])
                twice = j;
            if (j % 5 == 4)
                twice = j / 2;
        }
        I weighed = 0;
        for (I j = 1; j < m; j++) {
            float weight = j % 3 ? y[i * m + j / 2] / 100 : sqrtf(y[i * m + j]);
            if (y[i * m + j] + weight > y[i * m + weighed] + 2 * weight)
                weighed = j;
        }
        best += weighed;
        chosen[3 * i] = best;
        chosen[3 * i + 1] = moved;
        chosen[3 * i + 2] = twice;
    }
}

static void NAME(all)(void)
{
    static float x[N * M], y[N * M + M];
    static double d[N * M], sums[N];
    static int order[M];
    static I chosen[3 * N];
    const I lengths[] = {0, 1, 2, M};
    for (int k = 0; k < N * M + M; k++)
        y[k] = (k * 7919 % 211) * 0.5f;
    for (int k = 0; k < N * M; k++)
        d[k] = x[k] = (k * 37 + 11) % 23;
    for (int k = 0; k < M; k++)
        order[k] = (k * 5 + 3) % M;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        NAME(columns)(N, lengths[k], x, chosen, chosen + N);
        for (int i = 0; i < 2 * N; i++)
            sum += (double)chosen[i] * (i % 7 + 1);
        printf("%g ", sum);
    }
    NAME(table)(N, M, d, order, sums);
    for (int i = 0; i < N; i++)
        sum += sums[i] * (i % 5 + 1);
    printf("%g ", sum);
    NAME(again)(N, M, x, y, chosen);
    for (int i = 0; i < 3 * N; i++)
        sum += (double)chosen[i] * (i % 11 + 1);
    for (int i = 0; i < N * M; i++)
        sum += x[i] * (i % 3 + 1);
    printf("%g\n", sum);
}
