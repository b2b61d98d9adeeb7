// A step of compressible gas on 2048 x 2048 cells, double: pressures and speeds of sound by the equation of state, work of the pressure on the
// cells through their moving sides, and volume, mass, internal and kinetic energy and pressure of all cells.
#include "../kernels.h"

enum { SIDE = 2048 };

#define DT 0.04

#if SPELLING == 1
static void ideal_gas(int n, const double *restrict density, const double *restrict energy, double *restrict pressure, double *restrict sound)
{
#pragma acc parallel loop collapse(2) present(density[0:n * n], energy[0:n * n], pressure[0:n * n], sound[0:n * n])
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double v = 1.0 / density[k * n + j];
            pressure[k * n + j] = (1.4 - 1.0) * density[k * n + j] * energy[k * n + j];
            double by_energy = (1.4 - 1.0) * density[k * n + j], by_volume = -density[k * n + j] * pressure[k * n + j];
            sound[k * n + j] = sqrt(v * v * (pressure[k * n + j] * by_energy - by_volume));
        }
}

static void pdv(int n, const double *restrict xarea, const double *restrict yarea, const double *restrict volume, const double *restrict xvel,
                const double *restrict yvel, const double *restrict density0, const double *restrict energy0, const double *restrict pressure,
                const double *restrict viscosity, double *restrict density1, double *restrict energy1)
{
    int m = n + 1;
#pragma acc parallel loop collapse(2) present(xarea[0:n * m], yarea[0:n * m], volume[0:n * n], xvel[0:m * m], yvel[0:m * m]) \
    present(density0[0:n * n], energy0[0:n * n], pressure[0:n * n], viscosity[0:n * n], density1[0:n * n], energy1[0:n * n])
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double left = xarea[k * m + j] * (xvel[k * m + j] + xvel[(k + 1) * m + j]) * 0.25 * DT;
            double right = xarea[k * m + j + 1] * (xvel[k * m + j + 1] + xvel[(k + 1) * m + j + 1]) * 0.25 * DT;
            double bottom = yarea[k * n + j] * (yvel[k * m + j] + yvel[k * m + j + 1]) * 0.25 * DT;
            double top = yarea[(k + 1) * n + j] * (yvel[(k + 1) * m + j] + yvel[(k + 1) * m + j + 1]) * 0.25 * DT;
            double total = right - left + top - bottom;
            double change = volume[k * n + j] / (volume[k * n + j] + total);
            double work = (pressure[k * n + j] / density0[k * n + j] + viscosity[k * n + j] / density0[k * n + j]) * total / volume[k * n + j];
            energy1[k * n + j] = energy0[k * n + j] - work;
            density1[k * n + j] = density0[k * n + j] * change;
        }
}

static void summary(int n, const double *restrict volume, const double *restrict density, const double *restrict energy,
                    const double *restrict pressure, const double *restrict xvel, const double *restrict yvel, double *restrict totals)
{
    int m = n + 1;
    double vol = 0, mass = 0, ie = 0, ke = 0, press = 0;
#pragma acc parallel loop collapse(2) reduction(+ : vol, mass, ie, ke, press) present(volume[0:n * n], density[0:n * n], energy[0:n * n]) \
    present(pressure[0:n * n], xvel[0:m * m], yvel[0:m * m])
#pragma omp parallel for reduction(+ : vol, mass, ie, ke, press)
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double squared = 0;
            for (int kv = k; kv <= k + 1; kv++)
                for (int jv = j; jv <= j + 1; jv++)
                    squared += 0.25 * (xvel[kv * m + jv] * xvel[kv * m + jv] + yvel[kv * m + jv] * yvel[kv * m + jv]);
            double cell_vol = volume[k * n + j], cell_mass = cell_vol * density[k * n + j];
            vol += cell_vol;
            mass += cell_mass;
            ie += cell_mass * energy[k * n + j];
            ke += cell_mass * 0.5 * squared;
            press += cell_vol * pressure[k * n + j];
        }
    totals[0] = vol, totals[1] = mass, totals[2] = ie, totals[3] = ke, totals[4] = press;
}
#else
#define CELL(array, j, k) array[(size_t)(k) * n + (j)]
#define NODE(array, j, k) array[(size_t)(k) * (n + 1) + (j)]
#define SQUARE(x) ((x) * (x))

static void ideal_gas(size_t n, double *density, double *energy, double *pressure, double *sound)
{
#pragma acc kernels present(density, energy, pressure, sound)
#pragma acc loop independent
#pragma omp parallel for
    for (size_t k = 0; k < n; ++k)
#pragma acc loop independent
        for (size_t j = 0; j < n; ++j) {
            double volume = 1 / CELL(density, j, k);
            CELL(pressure, j, k) = 0.4 * CELL(density, j, k) * CELL(energy, j, k);
            double by_energy = 0.4 * CELL(density, j, k), by_volume = -CELL(density, j, k) * CELL(pressure, j, k);
            CELL(sound, j, k) = sqrt(SQUARE(volume) * (CELL(pressure, j, k) * by_energy - by_volume));
        }
}

static void pdv(size_t n, double *xarea, double *yarea, double *volume, double *xvel, double *yvel, double *density0, double *energy0,
                double *pressure, double *viscosity, double *density1, double *energy1)
{
#pragma acc kernels present(xarea, yarea, volume, xvel, yvel, density0, energy0, pressure, viscosity, density1, energy1)
#pragma acc loop independent
#pragma omp parallel for
    for (size_t k = 0; k < n; ++k)
#pragma acc loop independent
        for (size_t j = 0; j < n; ++j) {
            double left = NODE(xarea, j, k) * (NODE(xvel, j, k) + NODE(xvel, j, k + 1)) * 0.25 * DT;
            double right = NODE(xarea, j + 1, k) * (NODE(xvel, j + 1, k) + NODE(xvel, j + 1, k + 1)) * 0.25 * DT;
            double bottom = CELL(yarea, j, k) * (NODE(yvel, j, k) + NODE(yvel, j + 1, k)) * 0.25 * DT;
            double top = CELL(yarea, j, k + 1) * (NODE(yvel, j, k + 1) + NODE(yvel, j + 1, k + 1)) * 0.25 * DT;
            double total_flux = right - left + top - bottom;
            double recip_volume = 1 / CELL(volume, j, k);
            double volume_change = CELL(volume, j, k) / (CELL(volume, j, k) + total_flux);
            double energy_change = (CELL(pressure, j, k) + CELL(viscosity, j, k)) / CELL(density0, j, k) * total_flux * recip_volume;
            CELL(energy1, j, k) = CELL(energy0, j, k) - energy_change;
            CELL(density1, j, k) = CELL(density0, j, k) * volume_change;
        }
}

static void summary(size_t n, double *volume, double *density, double *energy, double *pressure, double *xvel, double *yvel, double *totals)
{
    double vol = 0, mass = 0, ie = 0, ke = 0, press = 0;
#pragma acc kernels present(volume, density, energy, pressure, xvel, yvel)
#pragma acc loop independent reduction(+ : vol, mass, ie, ke, press)
#pragma omp parallel for reduction(+ : vol, mass, ie, ke, press)
    for (size_t k = 0; k < n; ++k)
#pragma acc loop independent reduction(+ : vol, mass, ie, ke, press)
        for (size_t j = 0; j < n; ++j) {
            double squared = SQUARE(NODE(xvel, j, k)) + SQUARE(NODE(yvel, j, k));
            squared += SQUARE(NODE(xvel, j + 1, k)) + SQUARE(NODE(yvel, j + 1, k));
            squared += SQUARE(NODE(xvel, j, k + 1)) + SQUARE(NODE(yvel, j, k + 1));
            squared += SQUARE(NODE(xvel, j + 1, k + 1)) + SQUARE(NODE(yvel, j + 1, k + 1));
            double cell_mass = CELL(volume, j, k) * CELL(density, j, k);
            vol += CELL(volume, j, k);
            mass += cell_mass;
            ie += cell_mass * CELL(energy, j, k);
            ke += cell_mass * 0.5 * (0.25 * squared);
            press += CELL(volume, j, k) * CELL(pressure, j, k);
        }
    totals[0] = vol;
    totals[1] = mass;
    totals[2] = ie;
    totals[3] = ke;
    totals[4] = press;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, m = n + 1, cells = n * n, nodes = m * m, sides = n * m;
    double *density0 = NEW(double, cells), *energy0 = NEW(double, cells), *density1 = NEW(double, cells), *energy1 = NEW(double, cells),
           *pressure = NEW(double, cells), *sound = NEW(double, cells), *viscosity = NEW(double, cells), *volume = NEW(double, cells),
           *xarea = NEW(double, sides), *yarea = NEW(double, sides), *xvel = NEW(double, nodes), *yvel = NEW(double, nodes), totals[5], sum = 0;
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
#pragma acc enter data copyin(density0[0:cells], energy0[0:cells], viscosity[0:cells], volume[0:cells], xarea[0:sides], yarea[0:sides]) \
    copyin(xvel[0:nodes], yvel[0:nodes]) create(density1[0:cells], energy1[0:cells], pressure[0:cells], sound[0:cells])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        ideal_gas(n, density0, energy0, pressure, sound);
        pdv(n, xarea, yarea, volume, xvel, yvel, density0, energy0, pressure, viscosity, density1, energy1);
        summary(n, volume, density1, energy1, pressure, xvel, yvel, totals);
    }
#pragma acc update self(energy1[0:cells], sound[0:cells])
    SUM(sum, totals, 5);
    for (int k = 0; k < cells; k++)
        sum += energy1[k] + sound[k];
    report("gas", t.best, sum);
    return 0;
}
