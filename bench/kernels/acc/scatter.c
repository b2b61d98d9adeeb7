// The outer source of discrete ordinates (as SNAP has it): 32 groups of energy, 9 moments, 32^3 cells, double: fixed source and what all other groups
// scatter here by tables of materials and orders; and the largest relative change of the flux.
#include "../kernels.h"

enum { GROUPS = 32, MOMENTS = 9, ORDERS = 3, MATERIALS = 4, SIDE = 32 };

#if SPELLING == 1
static double outer(int cells, const int *restrict material, const int *restrict order, const double *restrict table, const double *restrict fixed,
                    const double *restrict flux, const double *restrict before, double *restrict source)
{
    double change = 0;
    int all = GROUPS * MOMENTS * cells;
#pragma acc data present(material[0:cells], order[0:MOMENTS], table[0:MATERIALS * ORDERS * GROUPS * GROUPS], fixed[0:GROUPS * cells], flux[0:all], \
                         before[0:GROUPS * cells], source[0:all])
    {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int g = 0; g < GROUPS; g++)
            for (int m = 0; m < MOMENTS; m++)
                for (int c = 0; c < cells; c++) {
                    double sum = m == 0 ? fixed[g * cells + c] : 0;
                    for (int h = 0; h < GROUPS; h++)
                        if (h != g)
                            sum += table[((material[c] * ORDERS + order[m]) * GROUPS + g) * GROUPS + h] * flux[(h * MOMENTS + m) * cells + c];
                    source[(g * MOMENTS + m) * cells + c] = sum;
                }
#pragma acc parallel loop collapse(2) reduction(max : change)
#pragma omp parallel for reduction(max : change)
        for (int g = 0; g < GROUPS; g++)
            for (int c = 0; c < cells; c++) {
                double was = before[g * cells + c], is = flux[g * MOMENTS * cells + c];
                change = fmax(change, fabs(was) > 1e-12 ? fabs(is / was - 1) : fabs(is - was));
            }
    }
    return change;
}
#else
static double outer(size_t cells, int *material, int *order, double table[MATERIALS][ORDERS][GROUPS][GROUPS], double fixed[GROUPS][cells],
                    double flux[GROUPS][MOMENTS][cells], double before[GROUPS][cells], double source[GROUPS][MOMENTS][cells])
{
    double change = 0;
#pragma acc kernels present(material[0:cells], order[0:MOMENTS], table[0:MATERIALS], fixed[0:GROUPS], flux[0:GROUPS], before[0:GROUPS], source[0:GROUPS])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (size_t g = 0; g < GROUPS; ++g)
#pragma acc loop independent vector
            for (size_t c = 0; c < cells; ++c) {
                source[g][0][c] = fixed[g][c];
                for (size_t m = 1; m < MOMENTS; ++m)
                    source[g][m][c] = 0;
            }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t g = 0; g < GROUPS; ++g)
#pragma acc loop independent
            for (size_t m = 0; m < MOMENTS; ++m)
#pragma acc loop seq
                for (size_t h = 0; h < GROUPS; ++h) {
                    if (h == g)
                        continue;
#pragma acc loop independent
                    for (size_t c = 0; c < cells; ++c)
                        source[g][m][c] += table[material[c]][order[m]][g][h] * flux[h][m][c];
                }
#pragma acc loop reduction(max : change)
        for (size_t g = 0; g < GROUPS; ++g)
#pragma acc loop reduction(max : change)
            for (size_t c = 0; c < cells; ++c) {
                double ratio = fabs(before[g][c]) > 1e-12 ? flux[g][0][c] / before[g][c] - 1 : flux[g][0][c] - before[g][c];
                if (fabs(ratio) > change)
                    change = fabs(ratio);
            }
    }
    return change;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int cells = SIDE * SIDE * SIDE >> args.shift, all = GROUPS * MOMENTS * cells, entries = MATERIALS * ORDERS * GROUPS * GROUPS;
    int *material = NEW(int, cells), *order = NEW(int, MOMENTS);
    double *table = NEW(double, entries), *fixed = NEW(double, GROUPS *cells), *flux = NEW(double, all), *before = NEW(double, GROUPS *cells),
           *source = NEW(double, all), change = 0, sum = 0;
    for (int c = 0; c < cells; c++)
        material[c] = mix(c / 16) % MATERIALS;
    for (int m = 0; m < MOMENTS; m++)
        order[m] = m == 0 ? 0 : m < 4 ? 1 : 2;
    FILL(table, entries, 0.1);
    FILL(fixed, GROUPS * cells, 1);
    for (int k = 0; k < all; k++)
        flux[k] = 0.5 + number(k + 3);
    for (int k = 0; k < GROUPS * cells; k++)
        before[k] = 0.5 + number(k + 900007);
#pragma acc enter data copyin(material[0:cells], order[0:MOMENTS], table[0:entries], fixed[0:GROUPS * cells], flux[0:all], before[0:GROUPS * cells])
#pragma acc enter data create(source[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        change = outer(cells, material, order, table, fixed, flux, before, source);
#else
        change = outer(cells, material, order, (void *)table, (void *)fixed, (void *)flux, (void *)before, (void *)source);
#endif
    }
#pragma acc update self(source[0:all])
    SUM(sum, source, all);
    report("scatter", t.best, sum + change);
    return 0;
}
