// Divisors of doubles in common: of a vector's parts, of a loop, of two branches that have one division each; of floats.
#include <math.h>
enum { N = 1000 };
static double x[3 * N], y[N];
static float f[2 * N];
int main(int argc, char **argv)
{
    double box = 2 + argc;
#pragma acc data copy(x, y, f)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            double r = x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] + 1;
            x[3 * i] /= r;
            x[3 * i + 1] /= r;
            x[3 * i + 2] = 1 / r;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
#pragma acc loop seq
            for (int k = 0; k < N; k++)
                y[i] += rint(x[3 * k] / box);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            if (x[3 * i] > 0)
                y[i] = x[3 * i] / y[i];
            else
                y[i] = 1 / y[i];
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            f[2 * i] = f[2 * i] / f[2 * i + 1];
            f[2 * i + 1] = 1 / f[2 * i + 1];
        }
    }
    return 0;
}
