// Locks that a thread may take several times: in functions that call each other, tried, by threads of several teams.
// cflags: -fopenmp
// expect-output: nest_locks.expect
// launches: 4
#include <omp.h>
#include <stdio.h>
#define N 400

#pragma omp declare target
static omp_nest_lock_t lock;

static void add(int *sum, int value)
{
    omp_set_nest_lock(&lock);
    *sum += value;
    omp_unset_nest_lock(&lock);
}

static void add_twice(int *sum, int value)
{
    omp_set_nest_lock(&lock);
    add(sum, value);
    if (value % 2)
        add(sum, value);
    omp_unset_nest_lock(&lock);
}
#pragma omp end declare target

int main(void)
{
    int sum = 0, depth = 0, tried = 0;
    #pragma omp target
    omp_init_nest_lock(&lock);
    #pragma omp target teams num_teams(3) map(tofrom: sum)
    #pragma omp distribute parallel for num_threads(40)
    for (int i = 0; i < N; i++)
        add_twice(&sum, i);
    printf("%d\n", sum);

    #pragma omp target parallel num_threads(33) map(tofrom: depth, tried)
    {
        int mine;
        while (!(mine = omp_test_nest_lock(&lock)))
            ;
        if (mine == 1)
            tried++;
        depth += omp_test_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    printf("%d %d\n", depth, tried);
    #pragma omp target
    omp_destroy_nest_lock(&lock);
    return 0;
}
