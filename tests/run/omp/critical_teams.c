// `critical` in regions with several teams: variables, functions that it calls, structs, sections, names in each other.
// cflags: -fopenmp
// launches: 4
#include <stdio.h>
#define N 300
int a[10], n;
struct s { int x[4]; } s;
static void put(int *p, int k) { p[0] += k; }
int main(void) {
    double *h = (double[]){0,0,0}; int hit = 0;
    #pragma omp target teams distribute parallel for map(tofrom: n)
    for (int i = 0; i < N; i++) {
        #pragma omp critical
        n += i;
    }
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < N; i++) {
        int k = 0;
        #pragma omp critical (elements)
        {
            k++;
            put(&a[k], i);
        }
    }
    #pragma omp target teams distribute parallel for map(tofrom: h[0:3], s) 
    for (int i = 0; i < N; i++) {
        #pragma omp critical (elements)
        { h[i % 3] += i * 0.5; s.x[i & 3] ^= i; }
    }
    #pragma omp target teams distribute map(tofrom: hit)
    for (int i = 0; i < N; i++) {
        #pragma omp parallel for
        for (int j = 0; j < 10; j++)
            if (j % 5 == 2) {
                #pragma omp critical (a)
                {
                    #pragma omp critical (b)
                    hit++;
                }
            }
    }
    printf("%d %d %g %g %d %d\n", n, a[1], h[0], h[2], s.x[1], hit);
    return 0;
}
