// critical: one thread of a team at a time, with names, in functions, branches and loops.
// cflags: -fopenmp
// expect-output: critical.expect
// launches: 7
#include <omp.h>
#include <stdio.h>
#define N 200

#pragma omp declare target
static void add(int *list, int *n, int value) {
    #pragma omp critical (list)
    {
        list[*n] = value;
        *n += 1;
    }
}
#pragma omp end declare target

int main(void) {
    int list[N], n = 0, sum = 0, most = -1, where = -1;

    #pragma omp target parallel for map(tofrom: list, n)
    for (int i = 0; i < N; i++)
        add(list, &n, i);
    long all = 0;
    for (int i = 0; i < N; i++)
        all += list[i];
    printf("%d %ld\n", n, all);

    // The largest and its place.
    #pragma omp target map(tofrom: most, where)
    #pragma omp parallel for num_threads(64)
    for (int i = 0; i < N; i++) {
        int value = i * 37 % 101;
        #pragma omp critical
        {
            if (value > most || value == most && i < where) {
                most = value;
                where = i;
            }
        }
    }
    printf("%d %d\n", most, where);

    // Threads that are told apart; some of them come, several times.
    #pragma omp target parallel num_threads(40) map(tofrom: sum)
    {
        int mine = omp_get_thread_num();
        for (int k = 0; k < 3; k++)
            if (mine % 2 == 0) {
                #pragma omp critical
                sum += mine;
            }
        #pragma omp barrier
        if (mine == 0)
            sum *= 2;
    }
    printf("%d\n", sum);

    // Two names in each other.
    int x = 0, y = 0;
    #pragma omp target parallel num_threads(33) map(tofrom: x, y)
    {
        #pragma omp critical (one)
        {
            x++;
            #pragma omp critical (two)
            y += x;
        }
    }
    printf("%d %d\n", x, y);

    // Each team has its own.
    int parts[4] = {0};
    #pragma omp target teams num_teams(4) map(tofrom: parts)
    {
        int part = 0;
        #pragma omp parallel for
        for (int i = 0; i < N; i++) {
            #pragma omp critical
            part += i;
        }
        parts[omp_get_team_num()] = part;
    }
    printf("%d %d %d %d\n", parts[0], parts[1], parts[2], parts[3]);

    // One team is all there is.
    double d = 0;
    #pragma omp target teams distribute parallel for num_teams(1) map(tofrom: d)
    for (int i = 0; i < N; i++) {
        #pragma omp critical (sum) hint(omp_sync_hint_contended)
        d += 0.5;
    }
    printf("%g\n", d);

    // And one thread.
    int c = 0;
    #pragma omp target map(tofrom: c)
    {
        #pragma omp critical
        c++;
    }
    printf("%d\n", c);
    return 0;
}
