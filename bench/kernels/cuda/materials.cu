// Pressures in a grid of 2048 x 2048 cells with up to 16 materials, double: a thread a cell, mixed cells in lists of
// shares.
#include "kernels.cuh"

constexpr int MATERIALS = 16, WIDE = 32, HIGH = 8;
__constant__ double gas[MATERIALS];

__global__ void pressures(int n, const int *__restrict__ kind, const int *__restrict__ next,
                          const int *__restrict__ material, const double *__restrict__ fraction,
                          const double *__restrict__ density, const double *__restrict__ temperature,
                          const double *__restrict__ mixed_density, const double *__restrict__ mixed_temperature,
                          double *__restrict__ mean, double *__restrict__ pressure)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    int k = kind[c];
    double rho = 0, p = 0;
    if (k >= 0) {
        rho = density[c];
        p = gas[k] * rho * temperature[c];
    } else
        for (k = -k; k >= 0; k = next[k]) {
            double d = fraction[k] * mixed_density[k];
            rho += d;
            p += d * gas[material[k]] * mixed_temperature[k];
        }
    mean[c] = rho;
    pressure[c] = p;
}

__global__ void smooth(int n, const int *__restrict__ kind, const int *__restrict__ next,
                       const int *__restrict__ material, const double *__restrict__ density,
                       const double *__restrict__ mixed_density, double *__restrict__ out,
                       double *__restrict__ mixed_out)
{
    __shared__ int kinds[HIGH + 2][WIDE + 2];
    __shared__ double densities[HIGH + 2][WIDE + 2];
    int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * HIGH;
    for (int k = threadIdx.y * WIDE + threadIdx.x; k < (HIGH + 2) * (WIDE + 2); k += WIDE * HIGH) {
        int j = k / (WIDE + 2), i = k % (WIDE + 2), c = min(y0 + j, n - 1) * n + min(x0 + i, n - 1);
        kinds[j][i] = kind[c];
        densities[j][i] = density[c];
    }
    __syncthreads();
    int x = x0 + threadIdx.x + 1, y = y0 + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1)
        return;
    auto mean = [&](int m) {
        double sum = 0;
        int count = 0;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                int k = kinds[threadIdx.y + j][threadIdx.x + i];
                if (k >= 0) {
                    if (k == m) {
                        sum += densities[threadIdx.y + j][threadIdx.x + i];
                        count++;
                    }
                } else
                    for (k = -k; k >= 0; k = next[k])
                        if (material[k] == m) {
                            sum += mixed_density[k];
                            count++;
                            break;
                        }
            }
        return sum / count;
    };
    int own = kinds[threadIdx.y + 1][threadIdx.x + 1];
    if (own >= 0)
        out[y * n + x] = mean(own);
    else
        for (int k = -own; k >= 0; k = next[k])
            mixed_out[k] = mean(material[k]);
}

// Stripes of materials; where two or three meet, cells have them all. Gives the length of the lists, whose place 0 is
// free.
static int mix_cells(int n, int *kind, int *next, int *material, double *fraction)
{
    int used = 1;
    for (int c = 0; c < n * n; c++) {
        int x = c % n, y = c / n, m = (x / 32 + y / 24) % MATERIALS,
            count = 1 + (x % 32 < 2) + (y % 24 < 2) + (mix(c) % 64 == 0);
        kind[c] = count == 1 ? m : -used;
        if (count > 1)
            for (int k = 0; k < count; k++, used++) {
                material[used] = (m + MATERIALS - k) % MATERIALS;
                next[used] = k == count - 1 ? -1 : used + 1;
                fraction[used] = 1.0 / count;
            }
    }
    return used;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2, cells = n * n, *kind = NEW(int, cells), *next = NEW(int, 4 * cells),
        *material = NEW(int, 4 * cells);
    double *fraction = NEW(double, 4 * cells), *mean = NEW(double, cells), *pressure = NEW(double, cells),
           *out = NEW(double, cells);
    double host[MATERIALS], sum = 0;
    int mixed = mix_cells(n, kind, next, material, fraction);
    double *mixed_out = NEW(double, mixed), *density = NEW(double, cells), *temperature = NEW(double, cells);
    double *mixed_density = NEW(double, mixed), *mixed_temperature = NEW(double, mixed);
    next[0] = material[0] = fraction[0] = 0;
    FILL(out, cells, 1);
    FILL(mixed_out, mixed, 1);
    FILL(density, cells, 2);
    FILL(mixed_density, mixed, 3);
    for (int m = 0; m < MATERIALS; m++)
        host[m] = 1 + 0.1 * m;
    for (int k = 0; k < cells; k++)
        temperature[k] = 1 + number(k + 7);
    for (int k = 0; k < mixed; k++)
        mixed_temperature[k] = 1 + number(k + 9);
    CHECK(cudaMemcpyToSymbol(gas, host, sizeof host));
    int *dkind = on_device(kind, cells), *dnext = on_device(next, mixed), *dmaterial = on_device(material, mixed);
    double *dfraction = on_device(fraction, mixed), *ddensity = on_device(density, cells),
           *dtemperature = on_device(temperature, cells);
    double *dmixed_density = on_device(mixed_density, mixed), *dmixed_temperature = on_device(mixed_temperature, mixed);
    double *dmean = device<double>(cells), *dpressure = device<double>(cells), *dout = on_device(out, cells),
           *dmixed_out = on_device(mixed_out, mixed);
    dim3 block(WIDE, HIGH), grid(ceiling(n - 2, WIDE), ceiling(n - 2, HIGH));
    double best = fastest(args.repeats, [&] {
        pressures<<<ceiling(cells, 256), 256>>>(cells, dkind, dnext, dmaterial, dfraction, ddensity, dtemperature,
                                                dmixed_density, dmixed_temperature, dmean, dpressure);
        smooth<<<grid, block>>>(n, dkind, dnext, dmaterial, ddensity, dmixed_density, dout, dmixed_out);
    });
    to_host(mean, dmean, cells);
    to_host(pressure, dpressure, cells);
    to_host(out, dout, cells);
    to_host(mixed_out, dmixed_out, mixed);
    for (int c = 0; c < cells; c++)
        sum += mean[c] + 2 * pressure[c] + out[c] * (1 + c % 3);
    for (int k = 0; k < mixed; k++)
        sum += mixed_out[k] * (1 + k % 5);
    report("materials", best, sum);
    return 0;
}
