// OpenMP's combined construct in several spellings of loops and types: sections, implicit maps, scalars, two- and three-dimensional
// arrays, loops that count down or by several, pointers as loop variables.
// cflags: -fopenmp
// launches: 9
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static double table[8][125];

static void print(const char *name, const double *a, int n) {
    double sum = 0, weighted = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        weighted += a[i] * (i % 17);
    }
    printf("%s %.6f %.6f\n", name, sum, weighted);
}

static void axpy(int n, float s, const float *restrict x, float *restrict y) {
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

int main(void) {
    double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = i * 0.5;
        b[i] = 1000 - i;
    }

    // Arrays without a clause are tofrom, scalars firstprivate.
    double factor = 3;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        a[i] = factor * b[i] + i;
    print("implicit", a, N);

    // Downwards, with a bound that is included, and an unsigned counter.
    #pragma omp target teams distribute parallel for simd map(from: a[10:500])
    for (unsigned i = 509; i >= 10; i--)
        a[i] = i * 2.0;
    print("down", a, N);

    // A stride, a long counter that is declared outside.
    long k;
    #pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(a[:N]) device(0)
    for (k = 3; k < N; k += 7)
        a[k] = -a[k];
    print("stride", a, N);

    // collapse with a global array.
    #pragma omp target teams distribute parallel for collapse(2) map(from: table)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 125; j++)
            table[i][j] = i * 125 + j;
    print("collapse", &table[0][0], N);

    // A heap array by a pointer, one row of it mapped, in a loop over a pointer.
    double *heap = malloc(3 * N * sizeof *heap);
    for (int i = 0; i < 3 * N; i++)
        heap[i] = i;
    double *end = heap + 2 * N;
    #pragma omp target teams distribute parallel for map(tofrom: heap[N:N])
    for (int i = N; i < 2 * N; i++)
        heap[i] = heap[i] * heap[i] - 1;
    print("heap", heap, 3 * N);
    (void)end;

    // `if` decides at run time; with a false one the host does the work.
    for (int offload = 0; offload < 2; offload++) {
        #pragma omp target teams distribute parallel for if(offload) map(tofrom: a) schedule(static, 4)
        for (int i = 0; i < N; i++)
            a[i] += offload + 1;
        print("if", a, N);
    }

    float x[300], y[300];
    for (int i = 0; i < 300; i++) {
        x[i] = i;
        y[i] = 300 - i;
    }
    axpy(300, 2.5f, x, y);
    axpy(200, -0.5f, x + 100, y + 100);
    float total = 0;
    for (int i = 0; i < 300; i++)
        total += y[i];
    printf("axpy %.3f\n", total);

    // A scalar that the region changes stays as it was outside, as it is firstprivate.
    int unchanged = 5;
    int seen[64];
    #pragma omp target teams distribute parallel for map(from: seen) firstprivate(unchanged)
    for (int i = 0; i < 64; i++) {
        unchanged = i;
        seen[i] = unchanged * 2;
    }
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += seen[i] == 2 * i;
    printf("unchanged %d %d\n", unchanged, count);
    free(heap);
    return 0;
}
