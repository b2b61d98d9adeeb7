// What one thread of all teams does at a time: `critical`, and locks that the program has.
// cflags: -fopenmp
// expect-output: locks.expect
// launches: 9
#include <omp.h>
#include <stdio.h>
#define N 3000
#define BINS 7

struct best {
    double value;
    int where;
};

#pragma omp declare target
static int calls;
static omp_lock_t one;

static void note(struct best *best, double value, int where)
{
    #pragma omp critical (best)
    if (value > best->value || (value == best->value && where < best->where)) {
        best->value = value;
        best->where = where;
    }
}

static void add(omp_lock_t *lock, long *sum, long value)
{
    omp_set_lock(lock);
    *sum += value;
    omp_unset_lock(lock);
}
#pragma omp end declare target

static double value(int i) { return (i * 7919 % 2003) * 0.5; }

int main(void)
{
    static int list[N];
    int n = 0, count = 0;
    struct best best = {-1, -1}, again = {-1, -1};

    // Of each team's threads, with a function, with and without names.
    #pragma omp target teams distribute parallel for map(tofrom: best)
    for (int i = 0; i < N; i++)
        note(&best, value(i), i);
    printf("%g %d\n", best.value, best.where);

    #pragma omp target teams distribute parallel for map(tofrom: list, n) num_teams(20) thread_limit(64)
    for (int i = 0; i < N; i++)
        if (i % 3 == 0) {
            #pragma omp critical
            {
                list[n] = i;
                n++;
            }
        }
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += list[i];
    printf("%d %ld\n", n, sum);

    // Two regions of a name: one writes what is the team's only.
    #pragma omp target teams num_teams(6) map(tofrom: again, count)
    {
        int of_team = 0;
        #pragma omp parallel num_threads(32)
        {
            #pragma omp critical (name)
            of_team++;
            #pragma omp for
            for (int i = 0; i < 500; i++) {
                #pragma omp critical (name)
                {
                    count++;
                    if (value(i) > again.value)
                        again.value = value(i);
                }
            }
        }
        #pragma omp parallel num_threads(1)
        {
            #pragma omp critical (name)
            count += of_team == 32;
        }
    }
    printf("%g %d\n", again.value, count);

    // Locks: of the program, in arrays, as arguments.
    long total = 0, bins[BINS] = {0};
    #pragma omp target
    omp_init_lock(&one);
    #pragma omp target teams distribute parallel for map(tofrom: total)
    for (int i = 0; i < N; i++) {
        omp_set_lock(&one);
        total += i;
        omp_unset_lock(&one);
    }
    printf("%ld\n", total);

    omp_lock_t locks[BINS];
    #pragma omp target data map(alloc: locks) map(tofrom: bins)
    {
        #pragma omp target
        for (int k = 0; k < BINS; k++)
            omp_init_lock(&locks[k]);
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            add(&locks[i % BINS], &bins[i % BINS], i);
        #pragma omp target parallel for num_threads(96)
        for (int i = 0; i < N; i++) {
            int from = i % BINS, to = (i * 3 + 1) % BINS;
            if (from == to)
                continue;
            // Always in one order, so that nobody waits in a circle.
            omp_set_lock(&locks[from < to ? from : to]);
            omp_set_lock(&locks[from < to ? to : from]);
            bins[from] -= i;
            bins[to] += i;
            omp_unset_lock(&locks[from]);
            omp_unset_lock(&locks[to]);
        }
        #pragma omp target
        for (int k = 0; k < BINS; k++)
            omp_destroy_lock(&locks[k]);
    }
    for (int k = 0; k < BINS; k++)
        printf("%ld ", bins[k]);
    printf("\n");

    // Tried, until it is free; and given back in a branch.
    long tries = 0;
    #pragma omp target teams map(tofrom: tries, total) num_teams(4)
    #pragma omp parallel num_threads(40)
    {
        int done = 0;
        while (!done)
            if (omp_test_lock(&one)) {
                tries++;
                done = 1;
                omp_unset_lock(&one);
            }
        omp_set_lock(&one);
        if (tries > 0) {
            total++;
            omp_unset_lock(&one);
        } else {
            total--;
            omp_unset_lock(&one);
        }
    }
    printf("%s %d\n", tries % 40 == 0 && total - 4498500 == tries ? "right" : "wrong", calls);
    return 0;
}
