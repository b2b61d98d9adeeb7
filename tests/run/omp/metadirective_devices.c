// Metadirectives that stand for different directives on cores and on GPUs: other clauses, another construct, one in a function; functions that
// tell which device it is are variants.
// cflags: -fopenmp
// expect-output: metadirective_devices.expect
// launches: 3
#include <omp.h>
#include <stdio.h>
#define N 64

static int yes(void) { return 1; }
#pragma omp declare variant(yes) match(device={kind(gpu)})
static int on_gpu(void) { return 0; }

static int threads(void) {
    int n = 0;
    #pragma omp metadirective when(device={kind(gpu)}: parallel num_threads(4)) when(device={kind(cpu)}: parallel num_threads(2))
    {
        #pragma omp single
        n = omp_get_num_threads();
    }
    return n;
}

int main(void) {
    int a[N], n = 0, is_gpu = -1;

    #pragma omp target map(from: n, is_gpu)
    {
        is_gpu = on_gpu();
        n = threads();
    }
    printf("%d\n", n == (is_gpu ? 4 : 2));

    // Loops with other clauses.
    #pragma omp target map(from: a)
    {
        #pragma omp metadirective when(device={arch("nvptx", "nvptx64")}: teams distribute parallel for) \
            when(device={kind(gpu)}: teams distribute parallel for num_threads(64)) default(parallel for simd)
        for (int i = 0; i < N; i++)
            a[i] = 3 * i;
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == 3 * i;
    printf("%d\n", n);

    #pragma omp target teams distribute map(from: a)
    for (int j = 0; j < N; j += 8) {
        #pragma omp metadirective when(device={kind(cpu)}: simd) otherwise(parallel for)
        for (int i = j; i < j + 8; i++)
            a[i] = i + on_gpu();
    }
    n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == i + is_gpu;
    printf("%d\n", n);
    return 0;
}
