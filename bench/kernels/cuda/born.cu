// Radii of Born of 8192 atoms and their energy of solvation, double: tiles of atoms in shared memory, a thread an atom and part of the others.
#include "kernels.cuh"

enum { ATOMS = 8192, THREADS = 128, PARTS = 16 };
#define OFFSET 0.09

__global__ void descreen(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z, const double *__restrict__ rho,
                         const double *__restrict__ scale, double *__restrict__ integral)
{
    __shared__ double tx[THREADS], ty[THREADS], tz[THREADS], ts[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x, me = min(i, n - 1);
    double x0 = x[me], y0 = y[me], z0 = z[me], own = rho[me] - OFFSET, inverse = 1 / own, sum = 0;
    for (int first = blockIdx.y * THREADS; first < n; first += PARTS * THREADS) {
        int j = first + threadIdx.x, count = min(THREADS, n - first);
        __syncthreads();
        if (j < n) {
            tx[threadIdx.x] = x[j];
            ty[threadIdx.x] = y[j];
            tz[threadIdx.x] = z[j];
            ts[threadIdx.x] = scale[j] * (rho[j] - OFFSET);
        }
        __syncthreads();
        for (int k = 0; k < count; k++) {
            double dx = x0 - tx[k], dy = y0 - ty[k], dz = z0 - tz[k], r2 = dx * dx + dy * dy + dz * dz, s = ts[k], over = rsqrt(r2), r = r2 * over;
            if (first + k != i && own < r + s) {
                double lower = 1 / fmax(own, fabs(r - s)), upper = 1 / (r + s);
                sum += lower - upper + 0.25 * (r - s * s * over) * (upper * upper - lower * lower) + 0.5 * over * log(upper / lower);
                if (own < s - r)
                    sum += 2 * (inverse - lower);
            }
        }
    }
    if (i < n)
        atomicAdd(&integral[i], sum);
}

__global__ void radii(int n, const double *__restrict__ rho, const double *__restrict__ integral, double *__restrict__ radius)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        double own = rho[i] - OFFSET, psi = 0.5 * integral[i] * own;
        radius[i] = 1 / (1 / own - tanh(psi - 0.8 * psi * psi + 4.85 * psi * psi * psi) / rho[i]);
    }
}

__global__ void still(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z, const double *__restrict__ q,
                      const double *__restrict__ radius, double *__restrict__ energy)
{
    __shared__ double tx[THREADS], ty[THREADS], tz[THREADS], tq[THREADS], tr[THREADS], warps[THREADS / 32];
    int i = blockIdx.x * THREADS + threadIdx.x, me = min(i, n - 1);
    double x0 = x[me], y0 = y[me], z0 = z[me], r0 = radius[me], sum = 0;
    for (int first = blockIdx.y * THREADS; first < n; first += PARTS * THREADS) {
        int j = first + threadIdx.x, count = min(THREADS, n - first);
        __syncthreads();
        if (j < n) {
            tx[threadIdx.x] = x[j];
            ty[threadIdx.x] = y[j];
            tz[threadIdx.x] = z[j];
            tq[threadIdx.x] = q[j];
            tr[threadIdx.x] = radius[j];
        }
        __syncthreads();
        for (int k = 0; k < count; k++) {
            double dx = x0 - tx[k], dy = y0 - ty[k], dz = z0 - tz[k], r2 = dx * dx + dy * dy + dz * dz, rr = r0 * tr[k];
            sum += tq[k] * rsqrt(r2 + rr * exp(-r2 / (4 * rr)));
        }
    }
    sum = i < n ? sum * q[me] : 0;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum += warps[w];
        atomicAdd(energy, sum);
    }
}

static void protein(int n, double *x, double *y, double *z, double *q, double *rho, double *scale)
{
    int side = 1;
    while (side * side * side < n)
        side++;
    for (int i = 0; i < n; i++) {
        x[i] = 2.1 * (i % side + 0.6 * number(3 * i));
        y[i] = 2.1 * (i / side % side + 0.6 * number(3 * i + 1));
        z[i] = 2.1 * (i / side / side + 0.6 * number(3 * i + 2));
        q[i] = number(i + 700001) - 0.5;
        rho[i] = 1.2 + 0.1 * (mix(i + 5) % 7);
        scale[i] = 0.72 + 0.07 * (mix(i + 5) % 3);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift;
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *q = NEW(double, n), *rho = NEW(double, n), *scale = NEW(double, n),
           *radius = NEW(double, n), *energy = pinned<double>(), sum = 0;
    protein(n, x, y, z, q, rho, scale);
    double *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *dq = on_device(q, n), *drho = on_device(rho, n), *dscale = on_device(scale, n),
           *dradius = device<double>(n), *dintegral = device<double>(n), *denergy = device<double>(1);
    dim3 grid(ceiling(n, THREADS), PARTS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dintegral, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        descreen<<<grid, THREADS>>>(n, dx, dy, dz, drho, dscale, dintegral);
        radii<<<ceiling(n, THREADS), THREADS>>>(n, drho, dintegral, dradius);
        still<<<grid, THREADS>>>(n, dx, dy, dz, dq, dradius, denergy);
        CHECK(cudaMemcpyAsync(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(radius, dradius, n);
    SUM(sum, radius, n);
    report("born", best, sum + 0.5 * 332.06 * (1 - 1 / 78.5) * *energy);
    return 0;
}
