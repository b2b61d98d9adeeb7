// Functions of the device library that stay calls: for large angles, and long ones.
// launches: 2
#include <math.h>

void f(int n, const float *a, const double *b, double *c)
{
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copy(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = sinf(a[i]) + tgamma(b[i]) + sqrt(c[i]);
#pragma acc parallel loop copyin(a[0:n]) copyout(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = sqrtf(a[i]);
}

int main(void)
{
    float a[3] = {1, 2, 3};
    double b[3] = {4, 5, 6}, c[3] = {0};
    f(3, a, b, c);
    return c[0] != 1;
}
