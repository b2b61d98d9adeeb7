// Iterators in places that no section says: in front of members, in expressions, with steps, in updates.
// cflags: -fopenmp
// expect-output: iterators.expect
// launches: 2
#include <stdio.h>
#include <stdlib.h>
struct s { int n; double *d; };
int main(void) {
    int n = 6; struct s v[6]; double *rows[12];
    for (int i = 0; i < n; i++) { v[i].n = i + 1; v[i].d = calloc(i + 1, 8); }
    for (int i = 0; i < 12; i++) rows[i] = calloc(4, 8);
    #pragma omp target map(tofrom: v) map(iterator(i = 0:n), tofrom: v[i].d[0:v[i].n])
    for (int i = 0; i < n; i++) for (int j = 0; j < v[i].n; j++) v[i].d[j] += i + j;
    #pragma omp target data map(to: rows) map(iterator(int i = 0:n), tofrom: rows[2 * i + 1][0:4])
    {
        #pragma omp target
        for (int i = 0; i < n; i++) rows[2 * i + 1][i % 4] += 5;
        #pragma omp target update from(iterator(i = 0:n:2): rows[2 * i + 1][0:4])
    }
    double s = 0; for (int i = 0; i < n; i++) s += v[i].d[i] + rows[2 * i + 1][i % 4] * i;
    printf("%g\n", s);
    return 0;
}
