// Variables of threads that live across barriers: structs, arrays, what pointers lead to; nested `parallel`; loops of the team that
// end by a flag or by `continue`; loops in teams, with `nowait`, `collapse` and private sums.
// cflags: -fopenmp
// launches: 5
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#define omp_get_team_num() 0
#endif
#define N 48
struct pt { int x, y[3]; };
static int a[N], b[N];
static int twice(int v) { return 2 * v; }
static int h(const int *v) { unsigned s = 0; for (int i = 0; i < N; i++) s = s * 31 + v[i]; return s; }
int main(void) {
    for (int i = 0; i < N; i++) a[i] = i;
    // What a pointer of a thread leads to is used behind the barrier.
    #pragma omp target parallel num_threads(6) map(tofrom: a, b)
    {
        struct pt p; int r[4]; int *q = r;
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        p.x = t; p.y[1] = 7;
        for (int i = 0; i < 4; i++) r[i] = i;
        #pragma omp barrier
        for (int i = p.x; i < N; i += n) b[i] = a[N - 1 - i] + p.y[1] + q[i % 4];
    }
    printf("1 %d\n", h(b));
    // Of threads that a thread starts there is one.
    #pragma omp target parallel num_threads(4) map(tofrom: a, b)
    {
        for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads()) {
            int s = 0;
            #pragma omp parallel for reduction(+: s)
            for (int k = 0; k < 5; k++) s += k * i;
            switch (i % 3) { case 0: s++; break; case 1: s += twice(i); default: s -= 4; }
            a[i] = s;
        }
        #pragma omp barrier
        #pragma omp parallel
        {
            int z = 1;
            #pragma omp single
            z = 5;
            #pragma omp barrier
            if (omp_get_thread_num() == 0) b[0] = z;
        }
    }
    printf("2 %d %d\n", h(a), b[0]);
    // A flag that one thread sets, and a loop that tests at its end.
    int done = 0, rounds = 0;
    #pragma omp target parallel num_threads(8) map(tofrom: a, b, done, rounds)
    {
        while (!done) {
            #pragma omp for
            for (int i = 0; i < N; i++) b[i] += a[i];
            #pragma omp single
            { rounds++; done = rounds == 4; }
        }
        int k = 0;
        do {
            k++;
            if (k == 2) continue;
            #pragma omp for
            for (int i = 0; i < N - k; i++) a[i] = b[i + k] - k;
            #pragma omp for
            for (int i = 0; i < N; i++) b[i] = a[i];
        } while (k < 4);
    }
    printf("3 %d %d %d\n", rounds, h(a), h(b));
    // In a loop of teams.
    #pragma omp target teams distribute map(tofrom: a, b) num_teams(3)
    for (int g = 0; g < 4; g++) {
        int base = g * 12, local[12];
        #pragma omp parallel num_threads(5)
        {
            #pragma omp for nowait
            for (int i = 0; i < 12; i++) local[i] = a[base + i] * 3;
            #pragma omp barrier
            for (int i = omp_get_thread_num(); i < 12; i += omp_get_num_threads())
                b[base + i] = local[11 - i];
            #pragma omp barrier
            int sum = 0;
            #pragma omp for
            for (int i = 0; i < 6; i++) { int c = local[i]; local[i] = local[11 - i] + sum; local[11 - i] = c; }
            #pragma omp for collapse(2)
            for (int i = 0; i < 3; i++) for (unsigned j = 0; j < 4; j++) a[base + i * 4 + j] = local[i * 4 + j] + g + sum;
        }
    }
    printf("4 %d %d\n", h(a), h(b));
    // Downwards, with `!=`.
    long s = 0; int c = 0;
    #pragma omp target teams distribute parallel for num_teams(4) reduction(+: s) map(tofrom: c) map(to: a)
    for (int i = N - 1; i != -1; i--) {
        s += a[i] + 0 * omp_get_team_num();
        #pragma omp atomic
        c += omp_get_thread_num() >= 0;
    }
    printf("5 %ld %d\n", s, c);
    return 0;
}
