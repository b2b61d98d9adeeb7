// A tracer in 64 layers of air over 2^15 hexagonal and pentagonal cells, double: a thread a layer of a cell or an edge, four of these in a
// block.
#include "kernels.cuh"

constexpr int LAYERS = 64, MOST = 6, EACH = 4;
constexpr double STEP = 0.1;

__global__ void differences(int cells, const int *__restrict__ sides, const int *__restrict__ edge_of, const int2 *__restrict__ cell_of,
                            const double *__restrict__ q, double *__restrict__ bend)
{
    int c = blockIdx.x * EACH + threadIdx.y, k = threadIdx.x;
    if (c >= cells)
        return;
    double here = q[c * LAYERS + k], sum = 0;
    int many = sides[c];
    for (int s = 0; s < many; s++) {
        int2 ends = cell_of[edge_of[c * MOST + s]];
        sum += q[(ends.x == c ? ends.y : ends.x) * LAYERS + k] - here;
    }
    bend[c * LAYERS + k] = sum;
}

__global__ void fluxes(int edges, const int2 *__restrict__ cell_of, const double *__restrict__ wind, const double *__restrict__ q,
                       const double *__restrict__ bend, double *__restrict__ flux)
{
    int e = blockIdx.x * EACH + threadIdx.y, k = threadIdx.x;
    if (e >= edges)
        return;
    int2 ends = cell_of[e];
    int a = ends.x * LAYERS + k, b = ends.y * LAYERS + k;
    double u = wind[e * LAYERS + k], ba = bend[a], bb = bend[b];
    flux[e * LAYERS + k] = u * (0.5 * (q[a] + q[b]) - (ba + bb) * (1 / 24.0)) + fabs(u) * (bb - ba) * (1 / 96.0);
}

__global__ void update(int cells, const int *__restrict__ sides, const int *__restrict__ edge_of, const int2 *__restrict__ cell_of,
                       const double *__restrict__ lift, const double *__restrict__ q, const double *__restrict__ flux, double *__restrict__ next)
{
    int c = blockIdx.x * EACH + threadIdx.y, k = threadIdx.x;
    if (c >= cells)
        return;
    int at = c * LAYERS + k, many = sides[c];
    double here = q[at], sum = 0;
    for (int s = 0; s < many; s++) {
        int e = edge_of[c * MOST + s];
        double f = flux[e * LAYERS + k];
        sum += cell_of[e].x == c ? -f : f;
    }
    if (k > 0) {
        double w = lift[at];
        sum += w * (w > 0 ? q[at - 1] : here);
    }
    if (k < LAYERS - 1) {
        double w = lift[at + 1];
        sum -= w * (w > 0 ? here : q[at + 1]);
    }
    next[at] = here + STEP * sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int shift = (args.shift + 1) / 2, wide = 256 >> shift, high = 128 >> shift, cells = wide * high, edges = 0, all = cells * LAYERS;
    int *sides = NEW(int, cells), *edge_of = NEW(int, MOST * cells), *cell_of = NEW(int, 6 * cells);
    double *q = NEW(double, all), *lift = NEW(double, all), *next = NEW(double, all), sum = 0;
    for (int c = 0; c < cells; c++)
        sides[c] = 0;
    for (int c = 0; c < cells; c++)
        for (int d = 0; d < 3; d++) {
            int x = (c % wide + (d == 2 ? wide - 1 : 1 - d)) % wide, y = (c / wide + (d > 0)) % high, other = y * wide + x;
            if (d == 0 && c % wide % 16 == 7 && c / wide % 8 == 3)
                continue;
            cell_of[2 * edges] = c;
            cell_of[2 * edges + 1] = other;
            edge_of[c * MOST + sides[c]++] = edges;
            edge_of[other * MOST + sides[other]++] = edges;
            edges++;
        }
    for (int c = 0; c < cells; c++)
        for (int s = sides[c]; s < MOST; s++)
            edge_of[c * MOST + s] = 0;
    int through = edges * LAYERS;
    double *wind = NEW(double, through);
    for (int k = 0; k < through; k++)
        wind[k] = number(k) - 0.5;
    for (int k = 0; k < all; k++)
        lift[k] = number(k + 1) - 0.5;
    FILL(q, all, 1);
    int *dsides = on_device(sides, cells), *dedge_of = on_device(edge_of, MOST * cells);
    int2 *dcell_of = reinterpret_cast<int2 *>(on_device(cell_of, 2 * edges));
    double *dwind = on_device(wind, through), *dlift = on_device(lift, all), *dq = on_device(q, all);
    double *bend = device<double>(all), *flux = device<double>(through), *dnext = device<double>(all);
    dim3 block(LAYERS, EACH);
    double best = fastest(args.repeats, [&] {
        differences<<<ceiling(cells, EACH), block>>>(cells, dsides, dedge_of, dcell_of, dq, bend);
        fluxes<<<ceiling(edges, EACH), block>>>(edges, dcell_of, dwind, dq, bend, flux);
        update<<<ceiling(cells, EACH), block>>>(cells, dsides, dedge_of, dcell_of, dlift, dq, flux, dnext);
    });
    to_host(next, dnext, all);
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("tracers", best, sum);
    return 0;
}
