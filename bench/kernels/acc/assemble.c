// Forces on the nodes of an unstructured mesh from its 2^20 edges, double: each edge adds to both of its ends, atomically.
#include "../kernels.h"

enum { EDGES = 1 << 20 };

#if SPELLING == 1
static void assemble(int edges, int nodes, const int *restrict a, const int *restrict b, const double *restrict x,
                     const double *restrict stiffness, double *restrict force)
{
#pragma acc parallel loop present(force[0:3 * nodes])
#pragma omp parallel for
    for (int k = 0; k < 3 * nodes; k++)
        force[k] = 0;
#pragma acc parallel loop present(a[0:edges], b[0:edges], x[0:3 * nodes], stiffness[0:edges], force[0:3 * nodes])
#pragma omp parallel for
    for (int e = 0; e < edges; e++) {
        int i = a[e], j = b[e];
        double d[3], square = 0;
        for (int c = 0; c < 3; c++) {
            d[c] = x[3 * j + c] - x[3 * i + c];
            square += d[c] * d[c];
        }
        double length = sqrt(square + 1e-6), f = stiffness[e] * (length - 0.5) / length;
        for (int c = 0; c < 3; c++) {
#pragma acc atomic update
#pragma omp atomic
            force[3 * i + c] += f * d[c];
#pragma acc atomic update
#pragma omp atomic
            force[3 * j + c] -= f * d[c];
        }
    }
}
#else
typedef struct {
    double x, y, z;
} point;

#define ADD(to, what)                                                                                \
    do {                                                                                             \
        _Pragma("acc atomic") _Pragma("omp atomic") to += what;                                      \
    } while (0)

static void assemble(unsigned edges, unsigned nodes, int *a, int *b, point *x, double *stiffness, point *force)
{
#pragma acc kernels present(a[0:edges], b[0:edges], x[0:nodes], stiffness[0:edges], force[0:nodes])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (unsigned k = 0; k < nodes; ++k)
            force[k] = (point){0, 0, 0};
#pragma acc loop independent
#pragma omp parallel for
        for (unsigned e = 0; e < edges; ++e) {
            point from = x[a[e]], to = x[b[e]], d = {to.x - from.x, to.y - from.y, to.z - from.z};
            double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z + 1e-6), f = stiffness[e] * (1 - 0.5 / length);
            point *one = &force[a[e]], *other = &force[b[e]];
            ADD(one->x, f * d.x);
            ADD(one->y, f * d.y);
            ADD(one->z, f * d.z);
            ADD(other->x, -f * d.x);
            ADD(other->y, -f * d.y);
            ADD(other->z, -f * d.z);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int edges = EDGES >> args.shift, nodes = edges / 4, *a = NEW(int, edges), *b = NEW(int, edges);
    double *x = NEW(double, 3 * nodes), *stiffness = NEW(double, edges), *force = NEW(double, 3 * nodes), sum = 0;
    for (int e = 0; e < edges; e++)
        a[e] = e / 4, b[e] = (e / 4 + 1 + (int)(mix(e) % 1000)) % nodes;
    FILL(x, 3 * nodes, 1);
    FILL(stiffness, edges, 1);
#pragma acc enter data copyin(a[0:edges], b[0:edges], x[0:3 * nodes], stiffness[0:edges]) create(force[0:3 * nodes])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        assemble(edges, nodes, a, b, x, stiffness, force);
#else
        assemble(edges, nodes, a, b, (point *)x, stiffness, (point *)force);
#endif
    }
#pragma acc update self(force[0:3 * nodes])
    for (int k = 0; k < 3 * nodes; k++)
        sum += fabs(force[k]);
    report("assemble", t.best, sum);
    return 0;
}
