// One set of loops down columns with indices of type I, see ahead.c.

static void NAME(sums)(I rows, I columns, const double *a, const double *t, double *y)
{
#pragma acc parallel loop copyin(a[0:rows * columns], t[0:rows]) copyout(y[0:columns])
    for (I j = 0; j < columns; j++) {
        double s = 1;
        for (I i = 0; i < rows; i++)
            s += a[i * columns + j] * t[i];
        y[j] = s;
    }
}

// Kept in memory, which might be where it reads.
static void NAME(in_memory)(I rows, I columns, double *flat, double *t, double *y)
{
    double(*a)[columns] = (double(*)[columns])flat;
#pragma acc data present(a[0:rows][0:columns], t[0:rows], y[0:columns])
#pragma acc kernels
#pragma acc loop independent
    for (I j = 0; j < columns; ++j) {
        y[j] = 0;
        for (I i = 0; i != rows; ++i)
            y[j] = y[j] + a[i][j] * t[i];
    }
}

// Two results in memory, one of which may be the other, and what is read beside them.
static void NAME(both)(I rows, I columns, const double *a, const double *scale, double *sum, double *most)
{
#pragma acc parallel loop copyin(a[0:rows * columns]) present(scale[0:1], sum[0:columns], most[0:columns])
    for (I j = 0; j < columns; j++)
        for (I i = 0; i < rows; i++) {
            sum[j] += a[i * columns + j] * *scale;
            most[j] = a[i * columns + j] > most[j] ? a[i * columns + j] : most[j];
        }
}

// Beside a column each lane reads a row of its own, in which it writes.
static void NAME(mixed)(I rows, I columns, const int *in, int *row)
{
#pragma acc parallel loop copyin(in[0:rows * columns]) copy(row[0:rows * columns])
    for (I j = 0; j < columns; j++)
        for (I i = 1; i < rows; i++)
            row[j * rows + 2] += row[j * rows + i] - in[i * columns + j];
}

// Two loops, pointers that move on, and a division in front of them that lanes beyond the end must not do.
static void NAME(deviations)(I rows, I columns, const float *a, const short *weight, I every, float *mean, float *most)
{
#pragma acc parallel loop gang vector copyin(a[0:rows * columns], weight[0:rows * columns]) copy(mean[0:columns], most[0:columns])
    for (I j = 0; j < columns; j++) {
        const float *at = a + j;
        float s = 0, m = 0, start = (float)(100 / (every + j));
        for (I i = 0; i < rows; i++, at += columns)
            s += *at * weight[i * columns + j];
        s /= (float)rows + 1;
        mean[j] = s + start;
        for (I i = 0; i < rows; i++) {
            float d = a[i * columns + j] - s;
            m = d > m ? d : m;
        }
        most[j] = m;
    }
}

// Running sums, from the second row on: what is written moves as well.
static void NAME(running)(I rows, I columns, const int *in, int *out)
{
#pragma acc parallel loop present(in[0:rows * columns], out[0:rows * columns])
    for (I j = 0; j < columns; j++) {
        int s = j % 3;
        for (I i = 1; i < rows; i++) {
            s += in[i * columns + j];
            if (s > 0)
                out[i * columns + j] = s;
        }
    }
}

static void NAME(all)(const char *name)
{
    const int shapes[][2] = {{200, 70}, {64, 33}, {129, 32}, {128, 31}, {1000, 2}, {333, 1}, {63, 50}, {0, 40}, {90, 0}, {257, 97}};
    for (int v = 0; v < (int)(sizeof shapes / sizeof shapes[0]); v++) {
        int rows = shapes[v][0], columns = shapes[v][1];
        start();
        NAME(sums)((I)rows, (I)columns, numbers, factors, results);
        show(name, "sums");
        start();
#pragma acc data copyin(numbers, factors) copy(results)
        if (columns > 0)
            NAME(in_memory)((I)rows, (I)columns, numbers, factors, results);
        show(name, "in memory");
        start();
        NAME(deviations)((I)rows, (I)columns, reals, weights, (I)3, means, mosts);
        show(name, "deviations");
        start();
#pragma acc data copyin(factors) copy(results)
        {
            NAME(both)((I)rows, (I)columns, numbers, factors, results, results + 100);
            NAME(both)((I)rows, (I)columns, numbers, factors, results + 10, results + 10);
        }
        show(name, "both");
        if (rows > 2) {
            start();
            NAME(mixed)((I)rows, (I)columns, whole, sums);
            show(name, "mixed");
        }
        start();
#pragma acc data copyin(whole) copy(sums)
        NAME(running)((I)rows, (I)columns, whole, sums);
        show(name, "running");
    }
    // The results are where the columns are: of the first row, of one that no warp has in time, of the last.
    const int places[] = {0, 3, 130, 199};
    for (int v = 0; v < 4; v++) {
        start();
#pragma acc data copy(numbers) copyin(factors)
        NAME(in_memory)((I)200, (I)70, numbers, factors, numbers + places[v] * 70);
        show(name, "in place");
        start();
#pragma acc data copy(whole)
        NAME(running)((I)200, (I)70, whole, whole);
        show(name, "running in place");
    }
}

#undef I
#undef NAME
