// OpenMP's data directives: structured and unstructured mappings, reference counts, `always`, `release`, `delete`, updates of parts,
// conditions; regions in between find what is mapped, by arrays, pointers and struct members.
// cflags: -fopenmp
// launches: 12
#include <stdio.h>
#include <stdlib.h>

#define N 400

struct grid {
    int n;
    float *cells;
};

static long table[N];

static double sum(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * (i % 7 + 1);
    return s;
}

static void scale(double *a, int n, double by) {
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] *= by;
}

int main(void) {
    double a[N], *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = N - i;
        table[i] = 3 * i;
    }

    // A pointer without a clause leads to mapped data, also in functions.
    #pragma omp target data map(to: a) map(tofrom: b[0:N])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            b[i] += a[i];
        scale(b, N, 0.5);
        #pragma omp target update from(b[10:20])
        printf("update %.2f\n", b[10] + b[29]);
        for (int i = 0; i < N; i++)
            a[i] = 2 * i;
        #pragma omp target update to(a[100:50]) if(N > 3)
        #pragma omp target teams distribute parallel for
        for (int i = 100; i < 150; i++)
            b[i] = a[i];
    }
    printf("data %.2f %.2f\n", sum(a, N), sum(b, N));

    // Unstructured, counted twice: the inner region copies nothing out.
    #pragma omp target enter data map(to: b[0:N]) map(alloc: table)
    #pragma omp target teams distribute parallel for map(tofrom: b[0:N])
    for (int i = 0; i < N; i++)
        b[i] = -b[i];
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        table[i] = i * i;
    #pragma omp target exit data map(from: table)
    #pragma omp target enter data map(to: b[0:N])
    #pragma omp target exit data map(release: b[0:N])
    scale(b, N, 3);
    #pragma omp target exit data map(from: b[0:N])
    long total = 0;
    for (int i = 0; i < N; i++)
        total += table[i];
    printf("enter %.2f %ld\n", sum(b, N), total);

    // always copies though the data is there.
    #pragma omp target data map(alloc: a[0:N])
    {
        for (int i = 0; i < N; i++)
            a[i] = i + 1;
        #pragma omp target teams distribute parallel for map(always, tofrom: a[0:N])
        for (int i = 0; i < N; i++)
            a[i] = 10 * a[i];
        printf("always %.2f\n", sum(a, N));
    }

    // A struct's pointer, by its member; a row of a two-dimensional array.
    struct grid g = {N, malloc(N * sizeof(float))};
    for (int i = 0; i < g.n; i++)
        g.cells[i] = i * 0.25f;
    float *cells = g.cells;
    #pragma omp target data map(tofrom: cells[0:N])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        cells[i] += 1;
    printf("cells %.2f\n", g.cells[N - 1]);

    static int rows[6][50];
    #pragma omp target enter data map(alloc: rows[2:3])
    #pragma omp target teams distribute parallel for collapse(2) map(alloc: rows[2:3])
    for (int i = 2; i < 5; i++)
        for (int j = 0; j < 50; j++)
            rows[i][j] = 100 * i + j;
    #pragma omp target exit data map(from: rows[2:3])
    printf("rows %d %d %d\n", rows[1][3], rows[2][3], rows[4][49]);

    // A scalar that is mapped explicitly keeps the region's value; one in `target data` is firstprivate in a region without a clause.
    int mapped = 1, other = 5;
    #pragma omp target data map(tofrom: other)
    {
        #pragma omp target teams distribute parallel for map(tofrom: mapped)
        for (int i = 0; i < N; i++)
            if (i == 7)
                mapped = other + 37;
    }
    printf("scalars %d %d\n", mapped, other);

    // Conditions: nothing is mapped, the region maps for itself.
    int never = 0;
    #pragma omp target data map(tofrom: a) if(never)
    {
        #pragma omp target teams distribute parallel for map(tofrom: a)
        for (int i = 0; i < N; i++)
            a[i] += 0.5;
        printf("condition %.2f\n", sum(a, N));
    }
    // What is not there is no mistake.
    #pragma omp target update to(a)
    #pragma omp target exit data map(delete: a)

    // use_device_ptr and is_device_ptr.
    #pragma omp target data map(tofrom: b[0:N]) use_device_ptr(b)
    {
        #pragma omp target teams distribute parallel for is_device_ptr(b)
        for (int i = 0; i < N; i++)
            b[i] += i;
    }
    printf("device pointer %.2f\n", sum(b, N));
    free(g.cells);
    free(b);
    return 0;
}
