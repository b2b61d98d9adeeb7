// Loops of few iterations, each of them a long loop of its own, with and without a limit of threads: every iteration is done once.
// cflags: -fopenmp
// launches: 10
#include <stdio.h>

enum { MOST = 3000 };
static unsigned out[MOST];

static void run(int n, int m, int limit)
{
    if (limit)
#pragma omp target teams distribute parallel for thread_limit(limit) map(tofrom : out)
        for (int i = 0; i < n; i++) {
            unsigned x = i;
            for (int k = 0; k < m; k++)
                x = x * 1664525u + 1013904223u;
            out[i] += x;
        }
    else
#pragma omp target teams distribute parallel for map(tofrom : out)
        for (int i = 0; i < n; i++) {
            unsigned x = i;
            for (int k = 0; k < m; k++)
                x = x * 1664525u + 1013904223u;
            out[i] += x;
        }
}

int main(void)
{
    const int sizes[] = {1, 40, 300, 1100, MOST};
    for (int s = 0; s < 5; s++) {
        run(sizes[s], 40, 0);
        run(sizes[s], 41, 32 + 32 * (s % 3));
        unsigned check = 0;
        for (int i = 0; i < MOST; i++)
            check = check * 31 + out[i];
        printf("%d %u\n", sizes[s], check);
    }
    return 0;
}
