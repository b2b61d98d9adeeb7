// Threads that meet in loops over one counter that they also use for loops of their own, and as often as a loop before has found.
// cflags: -fopenmp
// launches: 4
#include <omp.h>
#include <stdio.h>
#define N 64

int main(void)
{
    int a[N], out[2][N], sums[2] = {0, 0};
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 64;

    // The first team adds up all elements, the second those that it has, in the steps of a tree.
    #pragma omp target teams num_teams(2) thread_limit(N) map(tofrom: a, out, sums)
    {
        int tile[N];
        #pragma omp parallel num_threads(N)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            int whole = team ? 41 : N, most = 0;
            int i;
            for (i = t; i < N; i += N)
                tile[i] = a[i];
            #pragma omp barrier
            if (whole == N) {
                for (i = 2; i <= N; i = 2 * i) {
                    if ((t + 1) % i == 0)
                        tile[t] += tile[t - i / 2];
                    #pragma omp barrier
                }
                if (t == N - 1)
                    sums[team] = tile[t];
            } else {
                for (i = 2; i <= N; i = 2 * i) {
                    if (whole >= i)
                        most = i;
                }
                for (i = 2; i <= most; i = 2 * i) {
                    if ((t + 1) % i == 0 && t < most)
                        tile[t] += tile[t - i / 2];
                    #pragma omp barrier
                }
                if (t == most - 1) {
                    for (i = most; i < whole; i++)
                        tile[t] += tile[i];
                    sums[team] = tile[t];
                }
            }
            for (i = 0; i < 2; i++)
                if (i == team)
                    out[i][t] = tile[t] + most;
        }
    }
    long check = 0;
    for (int i = 0; i < N; i++)
        check = (check * 31 + out[0][i] * 7 + out[1][i]) % 1000003;
    printf("%d %d %ld\n", sums[0], sums[1], check);

    // The counter lives on behind its loop, and in what the loop leaves it with.
    #pragma omp target parallel num_threads(4) map(tofrom: a)
    {
        int t = omp_get_thread_num(), i, n = 3;
        for (i = 0; i < n; i++) {
            a[t] += i;
            #pragma omp barrier
        }
        a[t + 4] = i;
        i = t;
        while (i < 8)
            i += 3;
        #pragma omp barrier
        a[t + 8] = i;
        do {
            a[t + 12] = i--;
        } while (i > t);
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", a[i]);
    printf("\n");

    // What decides is found by loops in loops.
    int steps = 0;
    #pragma omp target parallel num_threads(4) map(tofrom: a, steps)
    {
        int i, k, found = 1;
        for (i = 1; i < 6; i++) {
            int part = 0;
            for (k = 0; k < i; k++)
                part += k;
            if (part == 6)
                found = i;
            else if (part > 6)
                found++;
        }
        for (k = 0; k < found; k++) {
            #pragma omp for
            for (i = 0; i < N; i++)
                a[i]++;
            #pragma omp single
            steps++;
        }
    }
    printf("%d %d\n", steps, a[20]);

    // What decides is found where threads do other things, too.
    #pragma omp target parallel num_threads(4) map(tofrom: a, steps)
    {
        int t = omp_get_thread_num(), x = t, i, rounds = 1;
        if (steps > 3) {
            x += a[t] % 5;
            rounds = steps - 3;
            for (i = 0; i < x; i++)
                a[t] += i;
            for (i = 1; i < steps; i++) {
                x += i * t;
                if (i == 2 || i == 4)
                    rounds += i / 2;
            }
        }
        for (i = 0; i < rounds; i++) {
            a[t + 4] = a[t] + x;
            #pragma omp barrier
            a[t] += a[4 + (t + 1) % 4] % 7;
            #pragma omp barrier
        }
        #pragma omp masked
        steps = rounds;
    }
    printf("%d %d %d %d\n", steps, a[0], a[3], a[6]);
    return 0;
}
