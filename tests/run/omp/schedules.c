// Who runs which iteration, where a clause says it and the region asks: chunks in turn, over threads and over teams.
// cflags: -fopenmp
// launches: 8
#include <omp.h>
#include <stdio.h>
#define N 100
#define CHUNK 7

static int errors;

static void check(const char *what, int good) {
    if (!good) {
        errors++;
        printf("%s\n", what);
    }
}

#pragma omp declare target
static void number(int *of, int n) {
    #pragma omp for schedule(static, 3)
    for (int i = 0; i < n; i++)
        of[i] = omp_get_thread_num();
}
#pragma omp end declare target

int main(void) {
    int t[N], team[N], own[N], good;
    unsigned long n = N;

    #pragma omp target parallel for num_threads(4) schedule(static, CHUNK) map(from: t)
    for (unsigned long i = 0; i < n; i++)
        t[i] = omp_get_thread_num();
    good = 1;
    for (int i = 0; i < N; i++)
        good &= t[i] == i / CHUNK % 4;
    check("chunks of threads", good);

    // One chunk for each, and iterations backwards.
    #pragma omp target parallel for num_threads(4) schedule(static) map(from: t)
    for (int i = N - 1; i >= 0; i--)
        t[i] = omp_get_thread_num();
    good = 1;
    for (int i = 0; i < N; i++)
        good &= t[i] == (N - 1 - i) / 25;
    check("blocks of threads", good);

    // All loops of the nest count; the chunk is known when the program runs.
    int chunk = 5;
    #pragma omp target parallel for num_threads(3) collapse(2) schedule(monotonic: static, chunk) map(from: t)
    for (int i = 0; i < 10; i++)
        for (int j = 20; j > 0; j -= 2)
            t[i * 10 + (20 - j) / 2] = omp_get_thread_num();
    good = 1;
    for (int i = 0; i < N; i++)
        good &= t[i] == i / 5 % 3;
    check("chunks of a nest", good);

    #pragma omp target teams distribute num_teams(3) dist_schedule(static, 4) map(from: team)
    for (int i = 0; i < N; ++i)
        team[i] = omp_get_team_num();
    good = 1;
    for (int i = 0; i < N; i++)
        good &= team[i] == i / 4 % 3;
    check("chunks of teams", good);

    #pragma omp target teams distribute parallel for num_teams(2) num_threads(4) dist_schedule(static, 8) schedule(static, 2) \
        map(from: team, t)
    for (int i = 0; i < N; ++i) {
        team[i] = omp_get_team_num();
        t[i] = omp_get_thread_num();
    }
    good = 1;
    for (int i = 0; i < N; i++)
        good &= team[i] == i / 8 % 2 && t[i] == i % 8 / 2;
    check("chunks of both", good);

    // A thread's copy lasts as long as its iterations. Teams get whole chunks.
    int start = 50;
    #pragma omp target teams distribute parallel for firstprivate(start) num_teams(4) num_threads(8) schedule(static, 5) map(from: own)
    for (int i = 0; i < N; ++i) {
        if (i % 5 == 0)
            start = omp_get_num_threads() > 0 ? 0 : -1;
        own[i] = ++start;
    }
    good = 1;
    for (int i = 0; i < N; i++)
        good &= own[i] == i % 5 + 1;
    check("copies of threads", good);

    // A function is for the threads that call it; sums over chunks.
    long sum = 0, all = 0;
    #pragma omp target parallel num_threads(5) map(from: t) map(tofrom: sum, all)
    {
        number(t, N);
        #pragma omp for schedule(guided, 6) reduction(+: sum) nowait
        for (int i = 0; i < N; i += 3)
            sum += i + omp_get_thread_num() * 0;
        #pragma omp for schedule(static) reduction(+: all)
        for (int i = 0; i <= N; i++)
            all += omp_get_num_threads();
    }
    good = sum == 99 * 34 / 2 && all == 5 * (N + 1);
    for (int i = 0; i < N; i++)
        good &= t[i] == i / 3 % 5;
    check("chunks in a function, sums", good);

    // Only the thread's number is asked for, not the team's.
    #pragma omp target teams distribute parallel for num_teams(2) num_threads(4) map(from: t)
    for (int i = 0; i < N; i++)
        t[i] = omp_get_thread_num();
    good = 1;
    for (int i = 0; i < N; i++)
        good &= t[i] >= 0 && t[i] < 4;
    check("threads of teams", good);

    return errors;
}
