// Statements of `parallel` beside its loops: numbers of threads, barriers, `single`, `masked`, variables of a thread across barriers,
// barriers in loops and conditions, arrays of a team.
// cflags: -fopenmp
// launches: 9
#include <stdio.h>
#include <omp.h>

#define N 64

#ifndef _OPENMP
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

static int a[N], b[N], seen[N];

static long sum(const int *v) {
    long s = 0;
    for (int i = 0; i < N; i++)
        s += v[i] * (i + 1L);
    return s;
}

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = i * 7 % 13;

    // Each thread has its part.
    #pragma omp target parallel num_threads(8) map(tofrom: b)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < N; i += all)
            b[i] = a[i] + 1;
    }
    printf("parts %ld\n", sum(b));

    // A variable of a thread lives across a barrier, and threads read what others have written.
    #pragma omp target map(tofrom: b) map(to: a)
    {
        int line[N];
        #pragma omp parallel num_threads(16)
        {
            int mine = 0;
            for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads()) {
                line[i] = a[i] * 2;
                mine += a[i];
            }
            #pragma omp barrier
            for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads())
                b[i] = line[N - 1 - i] + (mine >= 0);
        }
    }
    printf("barrier %ld\n", sum(b));

    // `single` and `masked`, loops with and without variables of the threads.
    int total = 0, first = -1;
    #pragma omp target parallel num_threads(5) map(tofrom: a, b, total, first)
    {
        int scale = 3;
        #pragma omp single
        {
            total = 100;
            scale += 0;
        }
        #pragma omp for
        for (int i = 0; i < N; i++)
            a[i] = i;
        #pragma omp for
        for (int i = N - 1; i >= 0; i--)
            b[i] = a[N - 1 - i] * scale;
        #pragma omp master
        first = b[0];
        #pragma omp barrier
        #pragma omp masked
        total += first;
    }
    printf("single %d %d %ld\n", total, first, sum(b));

    // Steps in a loop of the team, as in a scan; the counter is each thread's own.
    #pragma omp target parallel map(tofrom: a, b) num_threads(32)
    {
        for (int step = 1; step < N; step *= 2) {
            #pragma omp for
            for (int i = 0; i < N; i++)
                b[i] = a[i] + (i >= step ? a[i - step] : 0);
            #pragma omp for
            for (int i = 0; i < N; i++)
                a[i] = b[i];
        }
    }
    printf("scan %d %ld\n", a[N - 1], sum(a));

    // Tiles in memory of the team.
    #pragma omp target teams distribute map(to: a) map(tofrom: b) num_teams(4) thread_limit(16)
    for (int block = 0; block < N / 16; block++) {
        int tile[16];
        #pragma omp parallel num_threads(16)
        {
            int t = omp_get_num_threads() == 16 ? omp_get_thread_num() : -1;
            if (t >= 0)
                tile[t] = a[block * 16 + t];
            else
                for (int i = 0; i < 16; i++)
                    tile[i] = a[block * 16 + i];
            #pragma omp barrier
            for (int half = 8; half > 0; half /= 2) {
                if (t < 0) {
                    for (int i = 0; i < half; i++)
                        tile[i] += tile[i + half];
                } else if (t < half)
                    tile[t] += tile[t + half];
                #pragma omp barrier
            }
            #pragma omp single
            b[block] = tile[0];
        }
    }
    printf("tiles %d %d %d %d\n", b[0], b[1], b[2], b[3]);

    // A condition and a jump that are the same for all.
    int n = 10, round = 0;
    #pragma omp target parallel map(tofrom: a, round) firstprivate(n) num_threads(7)
    for (int k = 0; k < 20; k++) {
        if (n > 3) {
            #pragma omp for
            for (int i = 0; i < N; i++)
                a[i] += k;
        }
        if (k == 5)
            break;
        #pragma omp single
        round++;
    }
    printf("jump %d %ld\n", round, sum(a));

    // Reductions over what threads have added up, and loops with a reduction in a region.
    long s = 1;
    int most = 0;
    #pragma omp target parallel num_threads(6) map(tofrom: most) reduction(+: s)
    {
        for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads())
            s += a[i];
    }
    #pragma omp target parallel num_threads(6) map(tofrom: most)
    {
        int shift = 2;
        #pragma omp for reduction(max: most)
        for (int i = 0; i < N; i++)
            most = a[i] + shift > most ? a[i] + shift : most;
        #pragma omp single
        most *= 2;
    }
    printf("reductions %ld %d\n", s, most);

    // Private variables, a number of threads that only the program knows.
    int threads = n - 1, private_one = 5;
    #pragma omp target parallel num_threads(threads) map(tofrom: seen) firstprivate(private_one)
    {
        private_one += omp_get_thread_num();
        #pragma omp for nowait
        for (int i = 0; i < N; i++)
            seen[i] = private_one > 4;
        #pragma omp barrier
        for (int i = omp_get_thread_num(); i < threads; i += omp_get_num_threads())
            seen[i] += 5;
    }
    printf("private %ld\n", sum(seen));
    return 0;
}
