// The 2048 eigenvalues of a symmetric tridiagonal matrix, float: each by 30 bisections of its interval, that count signs of Sturm's
// sequence.
#include "../kernels.h"

enum { ORDER = 2048, BISECTIONS = 30 };

#if SPELLING == 1
static void eigenvalues(int n, const float *restrict d, const float *restrict e2, float low, float high, float *restrict value)
{
#pragma acc parallel loop present(d[0:n], e2[0:n], value[0:n])
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        float l = low, h = high;
        for (int b = 0; b < BISECTIONS; b++) {
            float middle = 0.5f * (l + h), q = d[0] - middle;
            int below = q < 0;
            for (int i = 1; i < n; i++) {
                q = d[i] - middle - e2[i - 1] / q;
                below += q < 0;
            }
            if (below <= k)
                l = middle;
            else
                h = middle;
        }
        value[k] = 0.5f * (l + h);
    }
}
#else
static size_t count_below(const float *d, const float *e2, size_t n, float x)
{
    float q = *d - x;
    size_t count = q < 0 ? 1 : 0;
    while (--n > 0) {
        ++d;
        q = (*d - x) - *e2++ / q;
        if (q < 0)
            ++count;
    }
    return count;
}

static void eigenvalues(size_t n, float *d, float *e2, float low, float high, float *value)
{
#pragma acc kernels present(d[0:n], e2[0:n], value[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t k = 0; k < n; ++k) {
        float interval[2] = {low, high};
        for (int b = BISECTIONS; b > 0; --b) {
            float middle = 0.5f * (interval[0] + interval[1]);
            interval[count_below(d, e2, n, middle) > k] = middle;
        }
        value[k] = 0.5f * (interval[0] + interval[1]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ORDER >> args.shift;
    float *d = NEW(float, n), *e2 = NEW(float, n), *value = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        d[k] = 2 * number(3 * k) - 1;
        e2[k] = number(5 * k) * number(5 * k) + 1e-3f;
    }
#pragma acc enter data copyin(d[0:n], e2[0:n]) create(value[0:n])
    struct watch t = watch(args.repeats < 10 ? args.repeats : 10);
    while (lap(&t))
        eigenvalues(n, d, e2, -4, 4, value);
#pragma acc update self(value[0:n])
    for (int k = 0; k < n; k++)
        sum += fabs(value[k]);
    report("sturm", t.best, sum);
    return 0;
}
