// What a barrier in front of `do … while` orders, where the condition reads what the threads share.
// cflags: -fopenmp
#include <omp.h>
#include <stdio.h>

enum { THREADS = 128 };

int main(void)
{
    int r[THREADS], q[THREADS], wrong = 0;
#pragma omp target map(from: r, q)
    {
        int mine[THREADS], done = 0, rounds = 0;
#pragma omp parallel num_threads(THREADS)
        {
            int t = omp_get_thread_num();
            mine[t] = t;
#pragma omp barrier
            do {
                r[t] = mine[THREADS - 1 - t];
#pragma omp barrier
                if (t == 0)
                    done = 1;
#pragma omp barrier
            } while (!done);
#pragma omp for
            for (int i = 0; i < THREADS; i++)
                mine[THREADS - 1 - i] = 3 * i;
            do {
                q[t] = mine[t / 2] + mine[THREADS - 1 - t];
#pragma omp barrier
#pragma omp single
                rounds++;
            } while (rounds < 3);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        wrong += r[i] != THREADS - 1 - i;
        wrong += q[i] != 3 * (THREADS - 1 - i / 2) + 3 * i;
    }
    printf("%d\n", wrong);
    return wrong != 0;
}
