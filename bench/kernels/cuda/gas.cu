// A step of compressible gas on 2048 x 2048 cells, double: equation of state, work of the pressure and five totals, a kernel each; the totals by
// sums of blocks that go on through the cells.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr double DT = 0.04;

__global__ void ideal_gas(int cells, const double *__restrict__ density, const double *__restrict__ energy, double *__restrict__ pressure,
                          double *__restrict__ sound)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    double rho = density[i], v = 1.0 / rho, p = 0.4 * rho * energy[i];
    pressure[i] = p;
    sound[i] = sqrt(v * v * (p * 0.4 * rho + rho * p));
}

__global__ void pdv(int n, const double *__restrict__ xarea, const double *__restrict__ yarea, const double *__restrict__ volume,
                    const double *__restrict__ xvel, const double *__restrict__ yvel, const double *__restrict__ density0,
                    const double *__restrict__ energy0, const double *__restrict__ pressure, const double *__restrict__ viscosity,
                    double *__restrict__ density1, double *__restrict__ energy1)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y, m = n + 1;
    if (j >= n || k >= n)
        return;
    int cell = k * n + j, node = k * m + j;
    double left = xarea[node] * (xvel[node] + xvel[node + m]) * 0.25 * DT;
    double right = xarea[node + 1] * (xvel[node + 1] + xvel[node + m + 1]) * 0.25 * DT;
    double bottom = yarea[cell] * (yvel[node] + yvel[node + 1]) * 0.25 * DT;
    double top = yarea[cell + n] * (yvel[node + m] + yvel[node + m + 1]) * 0.25 * DT;
    double total = right - left + top - bottom, v = volume[cell], rho = density0[cell];
    energy1[cell] = energy0[cell] - (pressure[cell] + viscosity[cell]) * total / (rho * v);
    density1[cell] = rho * v / (v + total);
}

__device__ double energy_of(double x, double y) { return x * x + y * y; }

__global__ void summary(int n, const double *__restrict__ volume, const double *__restrict__ density, const double *__restrict__ energy,
                        const double *__restrict__ pressure, const double *__restrict__ xvel, const double *__restrict__ yvel,
                        double *__restrict__ totals)
{
    int m = n + 1;
    double mine[5] = {};
    for (int k = blockIdx.x; k < n; k += gridDim.x)
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            int cell = k * n + j, node = k * m + j;
            double squared = 0.25 * (energy_of(xvel[node], yvel[node]) + energy_of(xvel[node + 1], yvel[node + 1]) +
                                     energy_of(xvel[node + m], yvel[node + m]) + energy_of(xvel[node + m + 1], yvel[node + m + 1]));
            double v = volume[cell], mass = v * density[cell];
            mine[0] += v;
            mine[1] += mass;
            mine[2] += mass * energy[cell];
            mine[3] += mass * 0.5 * squared;
            mine[4] += v * pressure[cell];
        }
    for (int s = 0; s < 5; s++) {
        double sum = block_reduce(mine[s], 0.0, [](double a, double b) { return a + b; });
        if (threadIdx.x == 0)
            atomicAdd(&totals[s], sum);
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2, m = n + 1, cells = n * n, nodes = m * m, sides = n * m;
    double *density0 = NEW(double, cells), *energy0 = NEW(double, cells), *viscosity = NEW(double, cells), *volume = NEW(double, cells),
           *xarea = NEW(double, sides), *yarea = NEW(double, sides), *xvel = NEW(double, nodes), *yvel = NEW(double, nodes),
           *energy1 = NEW(double, cells), *sound = NEW(double, cells), sum = 0;
    for (int k = 0; k < cells; k++) {
        density0[k] = 0.2 + number(k);
        energy0[k] = 1 + 1.5 * number(k + 1);
        viscosity[k] = 0.1 * number(k + 2);
        volume[k] = 1 + 0.1 * number(k + 3);
    }
    for (int k = 0; k < sides; k++) {
        xarea[k] = 1 + 0.1 * number(k + 4);
        yarea[k] = 1 + 0.1 * number(k + 5);
    }
    for (int k = 0; k < nodes; k++) {
        xvel[k] = number(k + 6) - 0.5;
        yvel[k] = number(k + 7) - 0.5;
    }
    double *ddensity0 = on_device(density0, cells), *denergy0 = on_device(energy0, cells), *dviscosity = on_device(viscosity, cells),
           *dvolume = on_device(volume, cells), *dxarea = on_device(xarea, sides), *dyarea = on_device(yarea, sides),
           *dxvel = on_device(xvel, nodes), *dyvel = on_device(yvel, nodes), *dpressure = device<double>(cells),
           *dsound = device<double>(cells), *ddensity1 = device<double>(cells), *denergy1 = device<double>(cells),
           *dtotals = device<double>(5), *totals = pinned<double>(5);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    int blocks = full_grid(summary, 256);
    double best = fastest(args.repeats, [&] {
        ideal_gas<<<ceiling(cells, 256), 256>>>(cells, ddensity0, denergy0, dpressure, dsound);
        pdv<<<grid, block>>>(n, dxarea, dyarea, dvolume, dxvel, dyvel, ddensity0, denergy0, dpressure, dviscosity, ddensity1, denergy1);
        CHECK(cudaMemsetAsync(dtotals, 0, 5 * sizeof(double)));
        summary<<<blocks, 256>>>(n, dvolume, ddensity1, denergy1, dpressure, dxvel, dyvel, dtotals);
        CHECK(cudaMemcpyAsync(totals, dtotals, 5 * sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(energy1, denergy1, cells);
    to_host(sound, dsound, cells);
    SUM(sum, totals, 5);
    for (int k = 0; k < cells; k++)
        sum += energy1[k] + sound[k];
    report("gas", best, sum);
    return 0;
}
