// Functions that a construct calls use the global itself, where the construct has made it private: in OpenACC and OpenMP.
// cflags: -fopenmp
// expect-output: private_globals.expect
#include <omp.h>
#include <stdio.h>

static int g = 10, h[3] = {1, 2, 3};
#pragma acc declare create(g, h)
#pragma omp declare target
static int mode = 5;
#pragma omp end declare target

#pragma acc routine seq
static int get_g(void)
{
    return g + h[1];
}

static int get_mode(void)
{
    return mode;
}

static void set_mode(int to)
{
    mode = to;
}

int main(void)
{
    int r[12] = {0};
#pragma acc update device(g, h)
#pragma acc serial private(g) copy(r)
    {
        g = 99;
        r[0] = get_g();
        r[1] = g;
    }
#pragma acc parallel loop private(g, h) copy(r)
    for (int i = 2; i < 4; i++) {
        g = 98;
        h[1] = g;
        r[i] = get_g();
    }
#pragma omp target private(mode) map(tofrom : r)
    {
        mode = 1;
        set_mode(55);
        r[4] = mode;
        r[5] = get_mode();
    }
#pragma omp target parallel for private(mode) map(tofrom : r)
    for (int i = 6; i < 8; i++) {
        mode = 98;
        r[i] = get_mode();
    }
#pragma omp target map(tofrom : r)
    {
        r[8] = mode;
#pragma omp parallel private(mode) num_threads(2)
        {
            mode = 97;
            r[9 + omp_get_thread_num()] = get_mode();
        }
    }
    for (int k = 0; k < 11; k++)
        printf("%d ", r[k]);
    printf("\n");
    return 0;
}
