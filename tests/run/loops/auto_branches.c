// A scalar that both arms of a branch assign first is private to the iterations of an auto loop; one that a single arm assigns
// is not, and keeps the loop in order.
#include <stdio.h>
enum { N = 200 };
int main(void) {
    double x[N], y[N], z[N];
    for (int i = 0; i < N; i++) x[i] = i % 7 - 3;
    double t = 5, u = 5;
#pragma acc parallel copyin(x) copyout(y, z)
    {
#pragma acc loop auto
        for (int i = 0; i < N; i++) {
            if (x[i] > 0)
                t = x[i];
            else
                t = -2 * x[i];
            y[i] = t;
        }
#pragma acc loop auto
        for (int i = 0; i < N; i++) {
            if (x[i] > 0) u = x[i];
            z[i] = u;
        }
    }
    double sums[2] = {0};
    for (int i = 0; i < N; i++) {
        sums[0] += y[i] * i;
        sums[1] += z[i] * i;
    }
    printf("%g %g\n", sums[0], sums[1]);
    return 0;
}
