// Tables of coefficients in all spellings of their constants: what C makes of them is what kernels have.
// launches: 3
#include <stdio.h>

enum { N = 8 };

int main(void)
{
    const float w[5] = {1, -2.5, 0.1, -3, 16777217};
    const double v[6] = {-1, 0.1f, 1.0f / 3, -0.0, 3, 1e300 * 1e10};
    const int u[3] = {'a', -7, 1 << 20};
    const float rate = 3, bias = -0.3;
    static float x[N];
    static double y[N];
    static long z[N];
#pragma acc parallel loop copyin(w) copyout(x)
    for (int i = 0; i < N; i++)
        x[i] = i == 0 ? w[0] : i == 1 ? w[1] : i == 2 ? w[2] : i == 3 ? w[3] : i == 4 ? w[4] : i == 5 ? rate : bias;
#pragma acc parallel loop copyin(v) copyout(y)
    for (int i = 0; i < N; i++)
        y[i] = i == 0 ? v[0] : i == 1 ? v[1] : i == 2 ? v[2] : i == 3 ? v[3] : i == 4 ? v[4] : v[5];
#pragma acc parallel loop copyin(u) copyout(z)
    for (int i = 0; i < N; i++)
        z[i] = (long)u[0] * i + u[1] - u[2];
    for (int i = 0; i < N; i++)
        printf("%a %a %ld\n", x[i], y[i], z[i]);
    return 0;
}
