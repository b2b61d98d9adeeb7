// The outer source of discrete ordinates: 32 groups of energy, 9 moments, 32^3 cells, double: a thread a cell and moment, with all groups in registers.
#include "kernels.cuh"

enum { GROUPS = 32, MOMENTS = 9, ORDERS = 3, MATERIALS = 4, SIDE = 32 };

constexpr int THREADS = 128;

__global__ void outer(int cells, const int *__restrict__ material, const int *__restrict__ order, const double *__restrict__ table,
                      const double *__restrict__ fixed, const double *__restrict__ flux, double *__restrict__ source)
{
    int c = blockIdx.x * THREADS + threadIdx.x, m = blockIdx.y;
    if (c >= cells)
        return;
    double here[GROUPS];
#pragma unroll
    for (int h = 0; h < GROUPS; h++)
        here[h] = flux[(h * MOMENTS + m) * cells + c];
    const double *mine = table + (material[c] * ORDERS + order[m]) * GROUPS * GROUPS;
    for (int g = 0; g < GROUPS; g++) {
        double sum = m == 0 ? fixed[g * cells + c] : 0;
#pragma unroll
        for (int h = 0; h < GROUPS; h++)
            sum += h == g ? 0 : mine[g * GROUPS + h] * here[h];
        source[(g * MOMENTS + m) * cells + c] = sum;
    }
}

__global__ void changes(int cells, const double *__restrict__ flux, const double *__restrict__ before, unsigned long long *change)
{
    double most = 0;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < GROUPS * cells; k += gridDim.x * THREADS) {
        double was = before[k], is = flux[k / cells * MOMENTS * cells + k % cells];
        most = fmax(most, fabs(was) > 1e-12 ? fabs(is / was - 1) : fabs(is - was));
    }
    for (int d = 16; d > 0; d /= 2)
        most = fmax(most, __shfl_down_sync(0xffffffff, most, d));
    if (threadIdx.x % 32 == 0)
        atomicMax(change, (unsigned long long)__double_as_longlong(most));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int cells = SIDE * SIDE * SIDE >> args.shift, all = GROUPS * MOMENTS * cells, entries = MATERIALS * ORDERS * GROUPS * GROUPS;
    int *material = NEW(int, cells), *order = NEW(int, MOMENTS);
    double *table = NEW(double, entries), *fixed = NEW(double, GROUPS * cells), *flux = NEW(double, all), *before = NEW(double, GROUPS * cells),
           *source = NEW(double, all), *change = pinned<double>(), sum = 0;
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
    int *dmaterial = on_device(material, cells), *dorder = on_device(order, MOMENTS);
    double *dtable = on_device(table, entries), *dfixed = on_device(fixed, GROUPS * cells), *dflux = on_device(flux, all),
           *dbefore = on_device(before, GROUPS * cells), *dsource = device<double>(all);
    unsigned long long *dchange = device<unsigned long long>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dchange, 0, sizeof *dchange));
        outer<<<dim3(ceiling(cells, THREADS), MOMENTS), THREADS>>>(cells, dmaterial, dorder, dtable, dfixed, dflux, dsource);
        changes<<<512, THREADS>>>(cells, dflux, dbefore, dchange);
        CHECK(cudaMemcpyAsync(change, dchange, sizeof *change, cudaMemcpyDeviceToHost));
    });
    to_host(source, dsource, all);
    SUM(sum, source, all);
    report("scatter", best, sum + *change);
    return 0;
}
