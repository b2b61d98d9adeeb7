// Parameters with `restrict` lead to different objects, so that loops in kernels are parallel; others may meet, and are not.
#include <stdio.h>
double shift = 1;
static void apart(int n, double *restrict to, const double *restrict from, double *restrict sum) {
#pragma acc kernels copy(to[0:n], sum[0:1]) copyin(from[0:n + 1])
    for (int i = 0; i < n; i++) to[i] = from[i + 1] + sum[0] + shift;
}
static void maybe(int n, double *to, const double *restrict from) {
#pragma acc kernels copy(to[0:n]) copyin(from[0:n])
    for (int i = 1; i < n; i++) to[i] = from[i - 1] + 1;
}
static void inner(int n, double *restrict to) {
    double *from = to;
#pragma acc kernels copy(to[0:n])
    for (int i = 1; i < n; i++) to[i] = from[i - 1] + 1;
}
int main(void) {
    double a[100], b[101], s = 2;
    for (int i = 0; i < 100; i++) a[i] = b[i] = i;
    b[100] = 7;
    apart(100, a, b, &s);
    for (int i = 0; i < 100; i++) printf("%g ", a[i]);
    maybe(100, a, b);
    for (int i = 0; i < 100; i++) printf("%g ", a[i]);
    inner(100, a);
    for (int i = 0; i < 100; i++) printf("%g ", a[i]);
    return 0;
}
