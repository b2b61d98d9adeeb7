// Fewer threads than a warp has lanes: as lanes, as warps where there is `simd`, counted and not.
// cflags: -fopenmp
// expect-output: few_threads.expect
#include <omp.h>
#include <stdio.h>
#define N 60

int main(void) {
    int a[N], count = 0, number = 0, largest = 0, wrong = 0;

    for (int threads = 1; threads < 8; threads += 3) {
        count = number = largest = 0;
        #pragma omp target parallel num_threads(threads) map(tofrom: count, number, largest)
        {
            #pragma omp atomic
            count++;
            #pragma omp single
            number = omp_get_num_threads();
            #pragma omp critical
            if (omp_get_thread_num() > largest)
                largest = omp_get_thread_num();
        }
        printf("%d %d %d\n", count, number, largest);
    }

    #pragma omp target teams distribute parallel for num_threads(5) map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = omp_get_num_threads() * 100 + omp_get_thread_num();
    for (int i = 0; i < N; i++)
        wrong += a[i] / 100 != 5 || a[i] % 100 >= 5;
    printf("%d\n", wrong);

    // Warps.
    #pragma omp target teams num_teams(2) map(from: a)
    #pragma omp distribute parallel for num_threads(3)
    for (int i = 0; i < N; i++) {
        int sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int j = 0; j < 10; j++)
            sum += i + j;
        a[i] = sum;
    }
    for (int i = 0; i < N; i++)
        wrong += a[i] != 10 * i + 45;
    printf("%d\n", wrong);
    #pragma omp target parallel for num_threads(3) map(from: a)
    for (int i = 0; i < N; i++) {
        int sum = omp_get_num_threads();
        #pragma omp simd reduction(+: sum)
        for (int j = 0; j < 10; j++)
            sum += i + j;
        a[i] = sum + 1000 * omp_get_thread_num();
    }
    for (int i = 0; i < N; i++)
        wrong += a[i] % 1000 != 10 * i + 48 || a[i] / 1000 > 2;
    printf("%d\n", wrong);

    // A barrier between what few threads do, and a reduction over them.
    int last = 0, sum = 0;
    #pragma omp target parallel num_threads(7) map(tofrom: a, last) reduction(+: sum)
    {
        int own = omp_get_thread_num();
        a[own] = own;
        #pragma omp barrier
        sum += a[(own + 1) % 7];
        if (own == 6)
            last = a[0] + omp_get_num_threads();
    }
    printf("%d %d\n", last, sum);
    return 0;
}
