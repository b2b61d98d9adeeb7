// Look-ups of cross sections as a Monte Carlo code for neutrons makes them, double: binary search in a grid of 100000
// energies, then interpolation of five cross sections of the twelve nuclides of a material; 2^19 look-ups.
#include "../kernels.h"

enum { LOOKUPS = 1 << 19, GRID = 100000, NUCLIDES = 48, POINTS = 2048, MATERIALS = 12, PARTS = 12 };

struct point {
    double energy, sections[5];
};

#if SPELLING == 1
static void look_up(int n, const double *restrict grid, const int *restrict index, const struct point *restrict points,
                    const int *restrict nuclides, const double *restrict densities, double *restrict result)
{
#pragma acc parallel loop present(grid[0:GRID], index[0:GRID * NUCLIDES], points[0:NUCLIDES * POINTS],                 \
                                      nuclides[0:MATERIALS * PARTS], densities[0:MATERIALS * PARTS], result[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
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
            const struct point *below = &points[nuclide * POINTS + index[low * NUCLIDES + nuclide]], *above = below + 1;
            double f = (above->energy - energy) / (above->energy - below->energy);
            for (int s = 0; s < 5; s++)
                total[s] += density * (above->sections[s] - f * (above->sections[s] - below->sections[s]));
        }
        double sum = 0;
        for (int s = 0; s < 5; s++)
            sum += total[s];
        result[i] = sum;
    }
}
#elif SPELLING == 3
#pragma acc routine seq
static long grid_search(long n, double quarry, const double *A)
{
    long lowerLimit = 0, upperLimit = n - 1, length = upperLimit - lowerLimit;
    while (length > 1) {
        long examinationPoint = lowerLimit + length / 2;
        if (A[examinationPoint] > quarry)
            upperLimit = examinationPoint;
        else
            lowerLimit = examinationPoint;
        length = upperLimit - lowerLimit;
    }
    return lowerLimit;
}
#pragma acc routine seq
static void calculate_micro_xs(double p_energy, int nuc, long idx, const int *index_data, const struct point *nuclide_grids, double *xs_vector)
{
    const struct point *low = &nuclide_grids[nuc * POINTS + index_data[idx * NUCLIDES + nuc]];
    const struct point *high = low + 1;
    double f = (high->energy - p_energy) / (high->energy - low->energy);
    for (int s = 0; s < 5; s++)
        xs_vector[s] = high->sections[s] - f * (high->sections[s] - low->sections[s]);
}
#pragma acc routine seq
static void calculate_macro_xs(double p_energy, int mat, const double *egrid, const int *index_data, const struct point *nuclide_grids,
                               const int *mats, const double *concs, double *macro_xs_vector)
{
    double xs_vector[5];
    for (int k = 0; k < 5; k++)
        macro_xs_vector[k] = 0;
    long idx = grid_search(GRID, p_energy, egrid);
    for (int j = 0; j < PARTS; j++) {
        int p_nuc = mats[mat * PARTS + j];
        double conc = concs[mat * PARTS + j];
        calculate_micro_xs(p_energy, p_nuc, idx, index_data, nuclide_grids, xs_vector);
        for (int k = 0; k < 5; k++)
            macro_xs_vector[k] += xs_vector[k] * conc;
    }
}
static void look_up(int lookups, const double *egrid, const int *index_data, const struct point *nuclide_grids, const int *mats, const double *concs,
                    double *result)
{
#pragma acc parallel loop present(egrid[0:GRID], index_data[0:GRID * NUCLIDES], nuclide_grids[0:NUCLIDES * POINTS], mats[0:MATERIALS * PARTS], \
                                  concs[0:MATERIALS * PARTS], result[0:lookups])
    for (int i = 0; i < lookups; i++) {
        double p_energy = mix(2 * i) % 16777216 / 16777216.0;
        int mat = mix(2 * i + 1) % MATERIALS;
        double macro_xs_vector[5];
        calculate_macro_xs(p_energy, mat, egrid, index_data, nuclide_grids, mats, concs, macro_xs_vector);
        result[i] = macro_xs_vector[0] + macro_xs_vector[1] + macro_xs_vector[2] + macro_xs_vector[3] + macro_xs_vector[4];
    }
}
#elif SPELLING == 4
typedef struct { double v[5]; } five;
static void look_up(int n, const double *restrict grid, const int *restrict pindex, const struct point *restrict ppoints, const int *restrict pnuclides,
                    const double *restrict pdensities, double *restrict result)
{
    const int(*index)[NUCLIDES] = (const int(*)[NUCLIDES])pindex, (*nuclides)[PARTS] = (const int(*)[PARTS])pnuclides;
    const struct point(*points)[POINTS] = (const struct point(*)[POINTS])ppoints;
    const double(*densities)[PARTS] = (const double(*)[PARTS])pdensities;
#pragma acc kernels loop independent present(grid[0:GRID], index[0:GRID], points[0:NUCLIDES], nuclides[0:MATERIALS], densities[0:MATERIALS], result[0:n])
    for (int i = 0; i < n; i++) {
        const double e = mix(2 * i) % 16777216 / 16777216.0;
        const unsigned mat = mix(2 * i + 1) % MATERIALS;
        int base = 0;
        for (int left = GRID - 1; left > 1;) {
            const int half = left / 2;
            if (grid[base + half] > e)
                left = half;
            else
                base += half, left -= half;
        }
        five macro = {{0, 0, 0, 0, 0}};
        for (int p = 0; p < PARTS; p++) {
            const int nuc = nuclides[mat][p];
            const struct point lo = points[nuc][index[base][nuc]], hi = points[nuc][index[base][nuc] + 1];
            const double f = (hi.energy - e) / (hi.energy - lo.energy), rho = densities[mat][p];
#pragma acc loop seq
            for (int s = 0; s < 5; s++)
                macro.v[s] += rho * (hi.sections[s] - f * (hi.sections[s] - lo.sections[s]));
        }
        result[i] = macro.v[0] + macro.v[1] + macro.v[2] + macro.v[3] + macro.v[4];
    }
}
#else
#pragma acc routine seq
static long search(const double *values, double wanted, long n)
{
    long lower = 0, upper = n - 1, length = upper - lower;
    while (length > 1) {
        long half = lower + length / 2;
        if (values[half] > wanted)
            upper = half;
        else
            lower = half;
        length = upper - lower;
    }
    return lower;
}

#pragma acc routine seq
static void sections_at(double energy, struct point low, struct point high, double xs[5])
{
    double f = (high.energy - energy) / (high.energy - low.energy);
    for (int s = 0; s < 5; ++s)
        xs[s] = high.sections[s] - f * (high.sections[s] - low.sections[s]);
}

static void look_up(unsigned n, double *grid, int *pi, struct point *pp, int *pn, double *pd, double *result)
{
    int(*index)[NUCLIDES] = (int(*)[NUCLIDES])pi, (*nuclides)[PARTS] = (int(*)[PARTS])pn;
    struct point(*points)[POINTS] = (struct point(*)[POINTS])pp;
    double(*densities)[PARTS] = (double(*)[PARTS])pd;
#pragma acc parallel loop gang vector present(grid[0:GRID], index[0:GRID][0:NUCLIDES], points[0:NUCLIDES][0:POINTS],   \
                                                  nuclides[0:MATERIALS][0:PARTS], densities[0:MATERIALS][0:PARTS],     \
                                                  result[0:n])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        double energy = (mix(2 * i) & 0xffffff) / 16777216.0, macro[5] = {0, 0, 0, 0, 0}, micro[5];
        unsigned material = mix(2 * i + 1) % MATERIALS;
        long at = search(grid, energy, GRID);
        for (unsigned p = 0; p < PARTS; ++p) {
            int nuclide = nuclides[material][p], below = index[at][nuclide];
            sections_at(energy, points[nuclide][below], points[nuclide][below + 1], micro);
            for (int s = 0; s < 5; ++s)
                macro[s] += micro[s] * densities[material][p];
        }
        result[i] = macro[0] + macro[1] + macro[2] + macro[3] + macro[4];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LOOKUPS >> args.shift, *index = NEW(int, GRID *NUCLIDES), *nuclides = NEW(int, MATERIALS *PARTS);
    struct point *points = NEW(struct point, NUCLIDES *POINTS);
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
#pragma acc enter data copyin(grid[0:GRID], index[0:GRID * NUCLIDES], points[0:NUCLIDES * POINTS]) create(result[0:n]) \
    copyin(nuclides[0:MATERIALS * PARTS], densities[0:MATERIALS * PARTS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        look_up(n, grid, index, points, nuclides, densities, result);
#pragma acc update self(result[0:n])
    SUM(sum, result, n);
    report("lookup", t.best, sum);
    return 0;
}
