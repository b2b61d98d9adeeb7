// Metadirectives that ask for the constructs around them, in regions, in functions that regions call, and in the host's code.
// cflags: -fopenmp
// expect-output: metadirective_constructs.expect
// launches: 4
#include <stdio.h>
#define N 32

static int v[N], w[N];

/* Where a device runs it, a `target` is around. */
static void work(int *v, int n)
{
    #pragma omp metadirective when(construct={target}: for) otherwise(parallel for)
    for (int i = 0; i < n; i++)
        v[i] += 3 * i;
}

int main(void)
{
    int s = 0, last = -1;
    #pragma omp target map(from: v)
    {
        #pragma omp metadirective when(construct={target, parallel}: for) when(construct={target}: parallel for) otherwise(nothing)
        for (int i = 0; i < N; i++)
            v[i] = i;
        #pragma omp parallel
        {
            #pragma omp metadirective when(construct={target, parallel}: for) when(construct={target}: parallel for) otherwise(nothing)
            for (int i = 0; i < N; i++)
                v[i] += i;
            #pragma omp barrier
            #pragma omp metadirective when(construct={parallel, for}: nothing) default(single)
            v[0] += 100;
        }
    }
    printf("%d %d\n", v[0], v[9]);

    #pragma omp target teams map(tofrom: v, w)
    #pragma omp metadirective when(construct={teams}, device={kind(gpu)}: distribute parallel for simd) \
        when(construct={teams}: distribute parallel for) default(parallel for)
    for (int i = 0; i < N; i++) {
        v[i] *= 2;
        w[i] = v[i];
    }

    #pragma omp target map(tofrom: v) map(from: last)
    #pragma omp parallel num_threads(4)
    {
        work(v, N);
        #pragma omp for
        for (int i = 0; i < N; i++) {
            #pragma omp metadirective when(construct={for}, user={condition(1)}: critical)
            last = i == N - 1 ? v[i] : last;
        }
    }
    printf("%d %d\n", v[9], last);

    #pragma omp target teams distribute map(tofrom: v)
    for (int k = 0; k < N / 8; k++) {
        #pragma omp metadirective when(construct={teams, for}: nothing) when(construct={teams}: parallel for) otherwise(nothing)
        for (int i = 8 * k; i < 8 * k + 8; i++)
            v[i]++;
    }

    // In the host's code.
    #pragma omp parallel num_threads(4)
    {
        #pragma omp metadirective when(construct={target}: single) when(construct={parallel}: for reduction(+: s))
        for (int i = 0; i < N; i++)
            s += v[i];
    }
    printf("%d %d\n", s, w[31]);
    return 0;
}
