// The product of the stiffness of a body of 64^3 elastic cubes with displacements, without a matrix, double: 24 x 24 numbers that all
// cubes have in common, scaled by each one's density; eight colours of cubes that share no corner, a launch each.
#include "../kernels.h"

enum { SIDE = 64, DOFS = 24 };

static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

#if SPELLING == 1
static void product(int n, int deep, const double *restrict common, const double *restrict density, const double *restrict u,
                    double *restrict f)
{
    int side = n + 1, all = 3 * side * side * (deep + 1), cubes = n * n * deep;
#pragma acc parallel loop present(f[0:all])
#pragma omp parallel for simd
    for (int k = 0; k < all; k++)
        f[k] = 0;
    for (int colour = 0; colour < 8; colour++) {
        int ox = colour & 1, oy = colour >> 1 & 1, oz = colour >> 2;
#pragma acc parallel loop collapse(3) copyin(corner) present(common[0:DOFS * DOFS], density[0:cubes], u[0:all], f[0:all])
#pragma omp parallel for collapse(2)
        for (int z = oz; z < deep; z += 2)
            for (int y = oy; y < n; y += 2)
                for (int x = ox; x < n; x += 2) {
                    double own[DOFS], e = density[(z * n + y) * n + x];
                    int node[8];
                    e = 1e-9 + e * e * e * (1 - 1e-9);
                    for (int c = 0; c < 8; c++) {
                        node[c] = ((z + corner[c][2]) * side + y + corner[c][1]) * side + x + corner[c][0];
                        for (int d = 0; d < 3; d++)
                            own[3 * c + d] = u[3 * node[c] + d];
                    }
                    for (int r = 0; r < DOFS; r++) {
                        double sum = 0;
                        for (int s = 0; s < DOFS; s++)
                            sum += common[r * DOFS + s] * own[s];
                        f[3 * node[r / 3] + r % 3] += e * sum;
                    }
                }
    }
}
#else
static double stiff[DOFS][DOFS];
#pragma acc declare create(stiff)

static inline void load(double out[8][3], double (*u)[3], const unsigned *node)
{
    for (unsigned c = 0; c < 8; ++c)
        for (unsigned d = 0; d < 3; ++d)
            out[c][d] = u[node[c]][d];
}

// Cubes of a colour follow each other in `order`; each has its first corner in `first`.
static void product(size_t n, size_t deep, const unsigned *start, const unsigned *order, const unsigned *first, const unsigned *step,
                    double *density, double (*u)[3], double (*f)[3])
{
    size_t nodes = (n + 1) * (n + 1) * (deep + 1), cubes = n * n * deep;
#pragma acc data present(order[0:cubes], first[0:cubes], step[0:8], density[0:cubes], u[0:nodes], f[0:nodes])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (size_t k = 0; k < nodes; ++k)
            for (size_t d = 0; d < 3; ++d)
                f[k][d] = 0;
        for (const unsigned *s = start; s < start + 8; ++s) {
            const unsigned begin = s[0], end = s[1];
#pragma acc parallel loop gang vector vector_length(128)
#pragma omp parallel for
            for (unsigned k = begin; k < end; ++k) {
                const unsigned cube = order[k];
                unsigned node[8];
                double own[8][3];
                for (unsigned c = 0; c < 8; ++c)
                    node[c] = first[cube] + step[c];
                load(own, u, node);
                const double e = 1e-9 + pow(density[cube], 3) * (1 - 1e-9), *flat = &own[0][0];
                const double *row = &stiff[0][0];
                for (unsigned c = 0; c < 8; ++c)
                    for (unsigned d = 0; d < 3; ++d) {
                        double sum = 0;
                        for (const double *v = flat; v < flat + DOFS; ++v)
                            sum += *row++ * *v;
                        f[node[c]][d] += e * sum;
                    }
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE, deep = SIDE >> args.shift, side = n + 1, all = 3 * side * side * (deep + 1), cubes = n * n * deep;
    double *common = NEW(double, DOFS * DOFS), *density = NEW(double, cubes), *u = NEW(double, all), *f = NEW(double, all), sum = 0;
    for (int r = 0; r < DOFS; r++)
        for (int s = 0; s < DOFS; s++)
            common[r * DOFS + s] = r == s ? 1 : 0.2 * number(r * s + r + s) - 0.1;
    for (int k = 0; k < cubes; k++)
        density[k] = 0.3 + 0.7 * number(k);
    FILL(u, all, 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(common[0:DOFS * DOFS], density[0:cubes], u[0:all]) create(f[0:all])
    while (lap(&t))
        product(n, deep, common, density, u, f);
#else
    unsigned *order = NEW(unsigned, cubes), *first = NEW(unsigned, cubes), start[9] = {0}, step[8], many = 0;
    for (int colour = 0; colour < 8; colour++) {
        for (int k = 0; k < cubes; k++) {
            int x = k % n, y = k / n % n, z = k / n / n;
            first[k] = (z * side + y) * side + x;
            if ((x & 1) + 2 * (y & 1) + 4 * (z & 1) == colour)
                order[many++] = k;
        }
        start[colour + 1] = many;
        step[colour] = (corner[colour][2] * side + corner[colour][1]) * side + corner[colour][0];
    }
    for (int k = 0; k < DOFS * DOFS; k++)
        stiff[k / DOFS][k % DOFS] = common[k];
    double(*u3)[3] = (double(*)[3])u, (*f3)[3] = (double(*)[3])f;
#pragma acc update device(stiff)
#pragma acc enter data copyin(order[0:cubes], first[0:cubes], step, density[0:cubes], u3[0:all / 3]) create(f3[0:all / 3])
    while (lap(&t))
        product(n, deep, start, order, first, step, density, u3, f3);
#endif
#pragma acc update self(f[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(f[k]);
    report("stiffness", t.best, sum);
    return 0;
}
