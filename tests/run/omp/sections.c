// sections: each by some thread; with reductions, alone and combined, in functions, loops and branches.
// cflags: -fopenmp
// expect-output: sections.expect
// launches: 6
#include <omp.h>
#include <stdio.h>
#define N 8

#pragma omp declare target
static void both(int *a, int *b) {
    #pragma omp sections
    {
        a[0] += 1;
        #pragma omp section
        b[0] += 2;
    }
}
#pragma omp end declare target

int main(void) {
    int a[N] = {0}, b[N] = {0}, sum = 100, who[3] = {-1, -1, -1};

    #pragma omp target map(tofrom: a)
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        a[0] = 1;
        #pragma omp section
        {
            int t = 2;
            a[1] = t;
        }
        #pragma omp section
        for (int i = 2; i < N; i++)
            a[i] = i;
    }
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[7]);

    // The first section needs no directive; behind one there may be several statements.
    #pragma omp target map(tofrom: a, b)
    {
        int k = 5;
        #pragma omp parallel num_threads(3)
        {
            #pragma omp sections firstprivate(k)
            {
                a[0] = k++;
                #pragma omp section
                b[0] = k;
                b[1] = k + 1;
            }
            // All of it is done.
            #pragma omp for
            for (int i = 2; i < N; i++)
                b[i] = a[0] + b[0] + b[1];
        }
    }
    printf("%d %d %d %d\n", a[0], b[0], b[1], b[7]);

    #pragma omp target teams num_teams(1) map(tofrom: sum)
    #pragma omp parallel sections reduction(+: sum)
    {
        sum += 1;
        #pragma omp section
        sum += 20;
        #pragma omp section
        sum += 300;
    }
    printf("%d\n", sum);

    // In a function, several times.
    a[0] = b[0] = 0;
    #pragma omp target parallel num_threads(2) map(tofrom: a, b)
    for (int r = 0; r < 3; r++)
        both(a, b);
    printf("%d %d\n", a[0], b[0]);

    // Two threads in turn where they are told apart; one team does them, whatever the branch.
    #pragma omp target map(tofrom: who) map(to: sum)
    {
        if (sum > 0) {
            #pragma omp parallel num_threads(2)
            {
                #pragma omp sections nowait
                {
                    #pragma omp section
                    who[0] = omp_get_thread_num();
                    #pragma omp section
                    who[1] = omp_get_thread_num();
                    #pragma omp section
                    who[2] = omp_get_thread_num();
                }
            }
        }
    }
    int right = 1;
    for (int i = 0; i < 3; i++)
        right &= who[i] == 0 || who[i] == 1;
    printf("%d\n", right);

    // Without `parallel` one thread does all of them.
    #pragma omp target map(tofrom: a)
    {
        #pragma omp sections
        {
            a[1] = 10;
            #pragma omp section
            a[1] = a[1] == 10 ? 11 : 0;
        }
    }
    printf("%d\n", a[1]);
    return 0;
}
