// Loops that make a thread's own variable private, which lives on behind their barriers: scalars, arrays and structs.
// cflags: -fopenmp
// launches: 1
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#endif

struct pair { int left; double right; };

int main(void)
{
    int a[24], kept[4] = {0}, sum = 0;
#pragma omp target parallel num_threads(4) map(from : a) map(tofrom : kept, sum)
    {
        int t = omp_get_thread_num(), z = t + 1, row[3] = {t, t, t};
        struct pair p = {t, 0.5};
#pragma omp for private(z, row, p)
        for (int i = 0; i < 24; i++) {
            z = i * 2;
            row[i % 3] = z + 1;
            p.left = row[i % 3] * 3;
            a[i] = p.left + z;
        }
        // What each thread had is there again.
        if (z == t + 1 && row[2] == t && p.left == t && p.right == 0.5)
            kept[t] = 1;
#pragma omp barrier
#pragma omp for private(z) reduction(+ : sum)
        for (int i = 0; i < 24; i++) {
            z = a[23 - i] % 7;
            sum += z;
        }
        if (z != t + 1)
            kept[t] = 2;
    }
    int all = 1;
#ifdef _OPENMP
    for (int t = 0; t < 4; t++)
        all = all && kept[t] == 1;
#else
    all = kept[0] == 2;
#endif
    for (int i = 0; i < 24; i++)
        printf("%d ", a[i]);
    printf("%d %d\n", sum, all);
    return 0;
}
