// `if` of parts of a construct: where it is false for `parallel`, one thread runs the iterations in order.
// cflags: -fopenmp
// expect-output: conditions.expect
#include <omp.h>
#include <stdio.h>
#define N 50

static int run(int on_device, int threads) {
    int a[N], order = 0, most = 0;
    #pragma omp target parallel for if(target: on_device) if(parallel: threads) num_threads(4) map(from: a) map(tofrom: order, most)
    for (int i = 0; i < N; i++) {
        a[i] = omp_get_num_threads();
        #pragma omp atomic
        order++;
        if (i == N - 1)
            most = omp_get_thread_num() + a[i];
    }
    int right = order == N;
    for (int i = 0; i < N; i++)
        right &= threads ? a[i] >= 1 && a[i] <= 4 : a[i] == 1;
    return right && (threads || most == 1);
}

static int teams(int threads) {
    int a[N] = {0}, b[N];
    #pragma omp target teams distribute parallel for if(parallel: threads) num_teams(2) num_threads(4) map(tofrom: a) map(from: b)
    for (int i = 0; i < N; i++) {
        a[i] = omp_get_num_threads();
        b[i] = omp_get_thread_num();
    }
    int right = 1;
    for (int i = 0; i < N; i++)
        right &= threads ? a[i] >= 1 && b[i] < a[i] : a[i] == 1 && b[i] == 0;
    return right;
}

// Without questions for threads: what depends on the order.
static int in_order(int threads) {
    int a[N], last = 0;
    for (int i = 0; i < N; i++)
        a[i] = 1;
    #pragma omp target map(tofrom: a, last)
    #pragma omp teams num_teams(1)
    {
        #pragma omp distribute parallel for if(threads)
        for (int i = 1; i < N; i++)
            if (!threads)
                a[i] += a[i - 1];
    }
    return a[N - 1] == (threads ? 1 : N);
}

// Conditions of lanes say nothing of the results; beside them, those of threads count.
static int lanes(int vectors, int threads) {
    int a[N], b[N], c[N], right = 1;
    #pragma omp target simd if(simd: vectors) map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = i;
    #pragma omp target map(from: b, c)
    {
        #pragma omp simd if(vectors)
        for (int i = 0; i < N; i++)
            c[i] = 2 * i;
        #pragma omp parallel for simd if(threads)
        for (int i = 0; i < N; i++)
            b[i] = 1;
        #pragma omp parallel for simd if(parallel: threads) if(simd: vectors)
        for (int i = 0; i < N; i++)
            b[i] += i;
    }
    for (int i = 0; i < N; i++)
        right &= a[i] == i && c[i] == 2 * i && b[i] == i + 1;
    return right;
}

int main(void) {
    printf("%d %d %d %d\n", run(1, 1), run(1, 0), run(0, 1), run(0, 0));
    printf("%d %d\n", teams(1), teams(0));
    printf("%d %d\n", in_order(1), in_order(0));
    printf("%d %d %d %d\n", lanes(0, 0), lanes(0, 1), lanes(1, 0), lanes(1, 1));
    return 0;
}
