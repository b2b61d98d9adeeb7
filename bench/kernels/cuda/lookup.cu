// Look-ups of cross sections as a Monte Carlo code for neutrons makes them, double: binary search in a grid of 100000
// energies, then interpolation of five cross sections of the twelve nuclides of a material; 2^19 look-ups, a thread each.
#include "kernels.cuh"

constexpr int GRID = 100000, NUCLIDES = 48, POINTS = 2048, MATERIALS = 12, PARTS = 12;

struct point {
    double energy, sections[5];
};

__global__ void look_up(int n, const double *__restrict__ grid, const int *__restrict__ index,
                        const point *__restrict__ points, const int *__restrict__ nuclides,
                        const double *__restrict__ densities, double *__restrict__ result)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double energy = mix(2 * i) % 16777216 / 16777216.0, total[5] = {0};
    int material = mix(2 * i + 1) % MATERIALS, low = 0, high = GRID - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (grid[middle] > energy)
            high = middle;
        else
            low = middle;
    }
    for (int p = 0; p < PARTS; p++) {
        int nuclide = nuclides[material * PARTS + p];
        double density = densities[material * PARTS + p];
        const point *below = &points[nuclide * POINTS + index[low * NUCLIDES + nuclide]], *above = below + 1;
        double f = (above->energy - energy) / (above->energy - below->energy);
#pragma unroll
        for (int s = 0; s < 5; s++)
            total[s] += density * (above->sections[s] - f * (above->sections[s] - below->sections[s]));
    }
    result[i] = total[0] + total[1] + total[2] + total[3] + total[4];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 19) >> args.shift, *index = NEW(int, GRID *NUCLIDES), *nuclides = NEW(int, MATERIALS *PARTS);
    point *points = NEW(point, NUCLIDES *POINTS);
    double *grid = NEW(double, GRID), *densities = NEW(double, MATERIALS *PARTS), *result = NEW(double, n), sum = 0;
    FILL((double *)points, NUCLIDES * POINTS * 6, 1);
    for (int k = 0; k < NUCLIDES * POINTS; k++)
        points[k].energy = (k % POINTS + 0.9 * number(k)) / POINTS;
    for (int g = 0; g < GRID; g++)
        grid[g] = (g + 0.9 * number(g)) / GRID;
    for (int k = 0; k < NUCLIDES; k++)
        for (int g = 0, below = 0; g < GRID; g++) {
            while (below < POINTS - 2 && points[k * POINTS + below + 1].energy <= grid[g])
                below++;
            index[g * NUCLIDES + k] = below;
        }
    for (int k = 0; k < MATERIALS * PARTS; k++)
        nuclides[k] = (k / PARTS * 7 + k % PARTS * 5) % NUCLIDES;
    FILL(densities, MATERIALS * PARTS, 1);
    double *dgrid = on_device(grid, GRID), *ddensities = on_device(densities, MATERIALS * PARTS);
    double *dresult = device<double>(n);
    int *dindex = on_device(index, GRID * NUCLIDES), *dnuclides = on_device(nuclides, MATERIALS * PARTS);
    point *dpoints = on_device(points, NUCLIDES * POINTS);
    double best = fastest(args.repeats, [&] {
        look_up<<<ceiling(n, 256), 256>>>(n, dgrid, dindex, dpoints, dnuclides, ddensities, dresult);
    });
    to_host(result, dresult, n);
    SUM(sum, result, n);
    report("lookup", best, sum);
    return 0;
}
