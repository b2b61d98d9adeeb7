// A tracer in 64 layers of air over 2^15 hexagonal and pentagonal cells, double: differences between neighbours, fluxes of third order through
// the edges, and what they and the wind between the layers bring to each cell. Cells know their edges, edges their cells.
#include "../kernels.h"

enum { CELLS = 1 << 15, LAYERS = 64, MOST = 6 };
#define STEP 0.1

#if SPELLING == 1
static void advance(int cells, int edges, const int *restrict sides, const int *restrict edge_of, const int *restrict cell_of,
                    const double *restrict wind, const double *restrict lift, const double *restrict q, double *restrict bend,
                    double *restrict flux, double *restrict next)
{
#pragma acc data present(sides[0:cells], edge_of[0:MOST * cells], cell_of[0:2 * edges], wind[0:edges * LAYERS], lift[0:cells * LAYERS], \
                         q[0:cells * LAYERS], bend[0:cells * LAYERS], flux[0:edges * LAYERS], next[0:cells * LAYERS])
    {
#pragma acc parallel loop gang vector_length(LAYERS)
#pragma omp parallel for
        for (int c = 0; c < cells; c++) {
#pragma acc loop vector
#pragma omp simd
            for (int k = 0; k < LAYERS; k++) {
                double sum = 0;
                for (int s = 0; s < sides[c]; s++) {
                    int e = edge_of[c * MOST + s];
                    int other = cell_of[2 * e] == c ? cell_of[2 * e + 1] : cell_of[2 * e];
                    sum += q[other * LAYERS + k] - q[c * LAYERS + k];
                }
                bend[c * LAYERS + k] = sum;
            }
        }
#pragma acc parallel loop gang vector_length(LAYERS)
#pragma omp parallel for
        for (int e = 0; e < edges; e++) {
            int a = cell_of[2 * e], b = cell_of[2 * e + 1];
#pragma acc loop vector
#pragma omp simd
            for (int k = 0; k < LAYERS; k++) {
                double u = wind[e * LAYERS + k], ba = bend[a * LAYERS + k], bb = bend[b * LAYERS + k];
                flux[e * LAYERS + k] = u * (0.5 * (q[a * LAYERS + k] + q[b * LAYERS + k]) - (ba + bb) / 24) + fabs(u) * (bb - ba) / 96;
            }
        }
#pragma acc parallel loop gang vector_length(LAYERS)
#pragma omp parallel for
        for (int c = 0; c < cells; c++) {
#pragma acc loop vector
#pragma omp simd
            for (int k = 0; k < LAYERS; k++) {
                double sum = 0;
                for (int s = 0; s < sides[c]; s++) {
                    int e = edge_of[c * MOST + s];
                    if (cell_of[2 * e] == c)
                        sum -= flux[e * LAYERS + k];
                    else
                        sum += flux[e * LAYERS + k];
                }
                // upwind through the bottom and the top of the layer
                double w = lift[c * LAYERS + k], here = q[c * LAYERS + k];
                if (k > 0)
                    sum += w > 0 ? w * q[c * LAYERS + k - 1] : w * here;
                if (k < LAYERS - 1) {
                    double v = lift[c * LAYERS + k + 1];
                    sum -= v > 0 ? v * here : v * q[c * LAYERS + k + 1];
                }
                next[c * LAYERS + k] = here + STEP * sum;
            }
        }
    }
}
#else
typedef double column[LAYERS];
struct edge { int cell[2]; };
struct cell { int sides, edge[MOST], sign[MOST]; };
struct mesh { size_t cells, edges; struct cell *cell; struct edge *edge; };

#pragma acc routine seq
static double upwind(double w, double below, double above) { return w * (w > 0 ? below : above); }

static void advance(const struct mesh *m, column *wind, column *lift, column *q, column *bend, column *flux, column *next)
{
    const size_t cells = m->cells, edges = m->edges;
    struct cell *cell = m->cell;
    struct edge *edge = m->edge;
#pragma acc parallel loop collapse(2) async present(cell[0:cells], edge[0:edges], q[0:cells], bend[0:cells])
#pragma omp parallel for collapse(2)
    for (size_t c = 0; c < cells; ++c)
        for (size_t k = 0; k < LAYERS; ++k) {
            const struct cell *own = &cell[c];
            double sum = 0;
            for (int s = 0; s != own->sides; ++s)
                sum += q[edge[own->edge[s]].cell[own->sign[s] < 0]][k];
            bend[c][k] = sum - own->sides * q[c][k];
        }
#pragma acc parallel loop collapse(2) async present(edge[0:edges], wind[0:edges], q[0:cells], bend[0:cells], flux[0:edges])
#pragma omp parallel for collapse(2)
    for (size_t e = 0; e < edges; ++e)
        for (size_t k = 0; k < LAYERS; ++k) {
            const int *at = edge[e].cell;
            double u = wind[e][k], mean = (q[at[0]][k] + q[at[1]][k]) / 2, both = bend[at[0]][k] + bend[at[1]][k];
            double gap = bend[at[1]][k] - bend[at[0]][k];
            flux[e][k] = u * (mean - both / 24 + (u < 0 ? -gap : gap) / 96);
        }
#pragma acc kernels async present(cell[0:cells], flux[0:edges], lift[0:cells], q[0:cells], next[0:cells])
#pragma acc loop independent gang
#pragma omp parallel for
    for (size_t c = 0; c < cells; ++c) {
        const struct cell own = cell[c];
#pragma acc loop independent vector
#pragma omp simd
        for (size_t k = 0; k < LAYERS; ++k) {
            double sum = 0;
            for (int s = 0; s < own.sides; ++s)
                sum += own.sign[s] * flux[own.edge[s]][k];
            if (k != 0)
                sum += upwind(lift[c][k], q[c][k - 1], q[c][k]);
            if (k != LAYERS - 1)
                sum -= upwind(lift[c][k + 1], q[c][k], q[c][k + 1]);
            next[c][k] = q[c][k] + STEP * sum;
        }
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int shift = (args.shift + 1) / 2, wide = 256 >> shift, high = 128 >> shift, cells = wide * high, edges = 0, all = cells * LAYERS;
    int *sides = NEW(int, cells), *edge_of = NEW(int, MOST * cells), *cell_of = NEW(int, 6 * cells);
    double *q = NEW(double, all), *lift = NEW(double, all), *next = NEW(double, all), *bend = NEW(double, all), sum = 0;
    for (int c = 0; c < cells; c++)
        sides[c] = 0;
    // Three neighbours of each cell on a torus; here and there an edge is missing, so that cells have five.
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
    double *wind = NEW(double, through), *flux = NEW(double, through);
    for (int k = 0; k < through; k++)
        wind[k] = number(k) - 0.5;
    for (int k = 0; k < all; k++)
        lift[k] = number(k + 1) - 0.5;
    FILL(q, all, 1);
#pragma acc enter data copyin(wind[0:through], lift[0:all], q[0:all]) create(bend[0:all], flux[0:through], next[0:all])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(sides[0:cells], edge_of[0:MOST * cells], cell_of[0:2 * edges])
    while (lap(&t))
        advance(cells, edges, sides, edge_of, cell_of, wind, lift, q, bend, flux, next);
#else
    struct mesh mesh = {cells, edges, NEW(struct cell, cells), (struct edge *)cell_of};
    for (int c = 0; c < cells; c++) {
        mesh.cell[c].sides = sides[c];
        for (int s = 0; s < MOST; s++) {
            mesh.cell[c].edge[s] = edge_of[c * MOST + s];
            mesh.cell[c].sign[s] = cell_of[2 * edge_of[c * MOST + s]] == c ? -1 : 1;
        }
    }
#pragma acc enter data copyin(mesh.cell[0:cells], mesh.edge[0:edges])
    while (lap(&t))
        advance(&mesh, (column *)wind, (column *)lift, (column *)q, (column *)bend, (column *)flux, (column *)next);
#endif
#pragma acc update self(next[0:all])
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("tracers", t.best, sum);
    return 0;
}
