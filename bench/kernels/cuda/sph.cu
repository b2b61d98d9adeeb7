// Densities and pressures of 32768 particles of a fluid from neighbours in 27 cells, whose particles are chained; a thread a particle.
#include "kernels.cuh"

constexpr int CELLS = 20;

__global__ void density(int n, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                        const int *__restrict__ head, const int *__restrict__ next, float *__restrict__ rho, float *__restrict__ p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float px = x[i], py = y[i], pz = z[i], sum = 0;
    int cx = (int)px, cy = (int)py, cz = (int)pz;
    for (int w = max(cz - 1, 0); w <= min(cz + 1, CELLS - 1); w++)
        for (int v = max(cy - 1, 0); v <= min(cy + 1, CELLS - 1); v++)
            for (int u = max(cx - 1, 0); u <= min(cx + 1, CELLS - 1); u++)
                for (int j = head[(w * CELLS + v) * CELLS + u]; j >= 0; j = next[j]) {
                    float a = px - x[j], b = py - y[j], c = pz - z[j], q = 1 - (a * a + b * b + c * c);
                    if (q > 0)
                        sum += q * q * q;
                }
    rho[i] = 1.566f * sum;
    float ratio = 1.566f * sum / 4, cube = ratio * ratio * ratio;
    p[i] = 1000 * (cube * cube * ratio - 1);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 32768 >> args.shift, cells = CELLS * CELLS * CELLS;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), *rho = NEW(float, n), *p = NEW(float, n);
    int *head = NEW(int, cells), *next = NEW(int, n);
    double sum = 0;
    for (int c = 0; c < cells; c++)
        head[c] = -1;
    for (int k = 0; k < n; k++) {
        int c = (long)k * cells / n;
        x[k] = c % CELLS + number(3 * k);
        y[k] = c / CELLS % CELLS + number(3 * k + 1);
        z[k] = c / CELLS / CELLS + number(3 * k + 2);
        next[k] = head[c];
        head[c] = k;
    }
    float *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *drho = device<float>(n), *dp = device<float>(n);
    int *dhead = on_device(head, cells), *dnext = on_device(next, n);
    double best = fastest(args.repeats, [&] { density<<<ceiling(n, 128), 128>>>(n, dx, dy, dz, dhead, dnext, drho, dp); });
    to_host(rho, drho, n);
    to_host(p, dp, n);
    SUM(sum, rho, n);
    SUM(sum, p, n);
    report("sph", best, sum);
    return 0;
}
