// The 2048 eigenvalues of a symmetric tridiagonal matrix, float: each by 30 bisections of its interval, that count signs of Sturm's
// sequence; a thread an eigenvalue.
#include "kernels.cuh"

constexpr int BISECTIONS = 30;

__global__ void eigenvalues(int n, const float *__restrict__ d, const float *__restrict__ e2, float low, float high,
                            float *__restrict__ value)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
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

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    float *d = NEW(float, n), *e2 = NEW(float, n), *value = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        d[k] = 2 * number(3 * k) - 1;
        e2[k] = number(5 * k) * number(5 * k) + 1e-3f;
    }
    float *dd = on_device(d, n), *de = on_device(e2, n), *dv = device<float>(n);
    double best = fastest(args.repeats < 10 ? args.repeats : 10, [&] { eigenvalues<<<ceiling(n, 32), 32>>>(n, dd, de, -4, 4, dv); });
    to_host(value, dv, n);
    for (int k = 0; k < n; k++)
        sum += fabs(value[k]);
    report("sturm", best, sum);
    return 0;
}
