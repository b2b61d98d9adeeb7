// `lastprivate(conditional: …)`: the value of the last iteration that assigns, the one from before where none does.
// cflags: -fopenmp
#include <stdio.h>

#define N 300

static int last_above(const int *a, int n, int limit)
{
    int at = -1;
    #pragma omp target parallel for lastprivate(conditional: at) map(tofrom: at) map(to: a[0:n])
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            at = i;
    return at;
}

static double several(const int *a, int n)
{
    double x = 0.5;
    short k = 3;
    #pragma omp target map(tofrom: x, k) map(to: a[0:n])
    {
        int t = 7;
        #pragma omp parallel for private(t) lastprivate(conditional: x, k)
        for (int i = 0; i < n; i++) {
            t = a[i] % 13;
            if (t == 5)
                x = i;
            if (t == 20)
                k = i;
        }
        #pragma omp parallel num_threads(8)
        {
            #pragma omp for lastprivate(conditional: k)
            for (int i = 0; i < n; i++)
                if (i % 50 == 7)
                    k = i;
        }
    }
    return x + k;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 101;
    printf("%d %d %d\n", last_above(a, N, 95), last_above(a, N, 1000), last_above(a, 40, 30));
    printf("%g\n", several(a, N));
    return 0;
}
