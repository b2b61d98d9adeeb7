// Loops with reductions and last values in parallel regions whose threads are told apart: bounds that branches, variables of each thread and
// functions compute, in four spellings.
// cflags: -fopenmp
// expect-output: bounds_in_threads.expect
#include <omp.h>
#include <stdio.h>

#define EITHER(c, a, b) ((c) ? (a) : (b))

#pragma omp declare target
static int least(int a, int b) { return a < b ? a : b; }
#pragma omp end declare target

int main(int argc, char **argv)
{
    int o[4] = {0}, sum = 0, last = 0, most = 0, n = argc;
    long product = 1;
#pragma omp target map(tofrom : o, sum, last, most, product)
#pragma omp parallel num_threads(4)
    {
        o[omp_get_thread_num()] += 1;
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < (n > 1 ? 8 : 7); i++)
            sum += 4;
#pragma omp for lastprivate(last)
        for (int i = 0; i < n + 11; i++)
            last = i;
        int mine = least(n + 20, 9);
        o[omp_get_thread_num()] += mine;
#pragma omp for reduction(max : most) lastprivate(last)
        for (unsigned k = n > 3 && n < 9; k < mine * 2u; k++) {
            most = most > (int)(k * 7 % 11) ? most : (int)(k * 7 % 11);
            last = k;
        }
#pragma omp barrier
#pragma omp for reduction(* : product) schedule(static, 2)
        for (long j = EITHER(n, 2, 1); j <= EITHER(n > 5, 4, 3) + mine / 9; j++)
            product *= j;
        o[omp_get_thread_num()] += omp_get_num_threads();
    }
    printf("%d %d %d %d %d %d %d %ld\n", o[0], o[1], o[2], o[3], sum, last, most, product);
    return 0;
}
