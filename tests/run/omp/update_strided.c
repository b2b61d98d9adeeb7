// Sections with strides in `target update`: what they leave out is not copied, in one dimension and in several, behind pointers,
// in tables of rows and in members, with lengths left out and strides that are known at run time.
// cflags: -fopenmp
// expect-output: update_strided.expect
#include <stdio.h>
#include <stdlib.h>

#define N 60

struct part {
    long n;
    float *cells;
    short own[24];
};

static int shared;
static double grid[6][10];

static int wrong(int copied, double host, double device)
{
    // The other side has the new value everywhere if there is only one.
    return (copied || shared) != (host == device);
}

static int one_dimension(size_t step)
{
    int errors = 0, a[N], seen[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    #pragma omp target data map(to: a)
    {
        for (int i = 0; i < N; i++)
            a[i] = 100 + i;
        #pragma omp target update to(a[1:(N - 1) / step:step])
        #pragma omp target map(from: seen)
        for (int i = 0; i < N; i++)
            seen[i] = a[i];
        for (int i = 0; i < N; i++)
            errors += wrong(i % step == 1 % step && i >= 1 && (i - 1) / step < (N - 1) / step, a[i], seen[i]);
        for (int i = 0; i < N; i++)
            a[i] = -1 - i;
        #pragma omp target
        for (int i = 0; i < N; i++)
            a[i] = 1000 + i;
        #pragma omp target update from(a[::4])
        for (int i = 0; i < N; i++)
            errors += wrong(i % 4 == 0, a[i], 1000 + i);
    }
    return errors;
}

static int several_dimensions(void)
{
    int errors = 0;
    #pragma omp target enter data map(alloc: grid)
    #pragma omp target map(alloc: grid)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            grid[i][j] = 10 * i + j + 0.5;
    if (!shared)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 10; j++)
                grid[i][j] = 0;
    #pragma omp target update from(grid[1:2:3][0:5:2])
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            errors += wrong(i % 3 == 1 && j % 2 == 0, grid[i][j], 10 * i + j + 0.5);
    #pragma omp target exit data map(release: grid)
    return errors;
}

static int pointers(int n, int step)
{
    int errors = 0;
    struct part s = {n, malloc(n * sizeof(float)), {0}};
    double *rows[5];
    for (int r = 0; r < 5; r++)
        rows[r] = calloc(n, sizeof(double));
    for (int i = 0; i < n; i++)
        s.cells[i] = i;
    #pragma omp target data map(tofrom: s, s.cells[0:n]) map(alloc: rows[0:5][0:n])
    {
        #pragma omp target
        {
            for (int i = 0; i < s.n; i++)
                s.cells[i] += 500;
            for (int i = 0; i < 24; i++)
                s.own[i] = 7;
        }
        #pragma omp target
        for (int r = 0; r < 5; r++)
            for (int i = 0; i < n; i++)
                rows[r][i] = 100 * r + i + 1;
        #pragma omp target update from(s.cells[step:(n - step) / step:step], s.own[0:3:8])
        for (int i = 0; i < n; i++)
            errors += wrong(i % step == 0 && i >= step && i / step <= (n - step) / step, s.cells[i], i + 500);
        for (int i = 0; i < 24; i++)
            errors += wrong(i % 8 == 0, s.own[i], 7);
        #pragma omp target update from(rows[0:3:2][1:2:3])
        for (int r = 0; r < 5; r++)
            for (int i = 0; i < n; i++)
                errors += wrong(r % 2 == 0 && (i == 1 || i == 4), rows[r][i], 100 * r + i + 1);
    }
    for (int i = 0; i < n; i++)
        errors += s.cells[i] != i + 500;
    for (int r = 0; r < 5; r++)
        free(rows[r]);
    free(s.cells);
    return errors;
}

int main(void)
{
    #pragma omp target map(to: shared)
    shared = 1;
    int errors = one_dimension(2) + one_dimension(7);
    printf("%d in one dimension\n", errors);
    printf("%d in two\n", several_dimensions());
    printf("%d behind pointers\n", pointers(40, 3) + pointers(17, 5));
    return 0;
}
