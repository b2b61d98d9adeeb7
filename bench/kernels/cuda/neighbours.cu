// Lists of the neighbours that are nearer than a cutoff for about 442000 atoms in a periodic box, double: a thread an atom, in the order of
// the cells, so that the lanes of a warp look through the same cells.
#include "kernels.cuh"

constexpr int SIDE = 48, EACH = 4, MOST = 40;

__device__ double nearest(double d, double box, double half) { return d > half ? d - box : d < -half ? d + box : d; }

__global__ void build(int side, int n, const int *__restrict__ start, const double *__restrict__ x, const double *__restrict__ y,
                      const double *__restrict__ z, int *__restrict__ count, int *__restrict__ list)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double xi = x[i], yi = y[i], zi = z[i], box = side, half = box / 2;
    int cx = (int)xi, cy = (int)yi, cz = (int)zi, found = 0;
    for (int dx = -1; dx <= 1; dx++) {
        int ax = cx + dx;
        ax = ax < 0 ? ax + side : ax >= side ? ax - side : ax;
        for (int dy = -1; dy <= 1; dy++) {
            int ay = cy + dy;
            ay = ay < 0 ? ay + side : ay >= side ? ay - side : ay;
            for (int dz = -1; dz <= 1; dz++) {
                int az = cz + dz;
                az = az < 0 ? az + side : az >= side ? az - side : az;
                int cell = (ax * side + ay) * side + az, end = start[cell + 1];
                for (int j = start[cell]; j < end; j++) {
                    double rx = nearest(xi - x[j], box, half), ry = nearest(yi - y[j], box, half), rz = nearest(zi - z[j], box, half);
                    if (j != i && rx * rx + ry * ry + rz * rz < 1 && found < MOST) {
                        list[found * n + i] = j;
                        found++;
                    }
                }
            }
        }
    }
    count[i] = found;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, cells = side * side * side, n = EACH * cells, all = MOST * n;
    int *start = NEW(int, cells + 1), *cell = NEW(int, n), *count = NEW(int, n), *list = NEW(int, all);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), sum = 0;
    for (int k = 0; k <= cells; k++)
        start[k] = 0;
    for (int i = 0; i < n; i++) {
        int cx = side * number(3 * i), cy = side * number(3 * i + 1), cz = side * number(3 * i + 2);
        cell[i] = (cx * side + cy) * side + cz;
        start[cell[i]]++;
    }
    for (int k = 0, before = 0; k <= cells; k++) {
        int here = start[k];
        start[k] = before;
        before += here;
    }
    for (int i = 0; i < n; i++) {
        int at = start[cell[i]]++;
        x[at] = side * number(3 * i);
        y[at] = side * number(3 * i + 1);
        z[at] = side * number(3 * i + 2);
    }
    for (int k = cells; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
    int *dstart = on_device(start, cells + 1), *dcount = device<int>(n), *dlist = device<int>(all);
    double *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n);
    double best = fastest(args.repeats, [&] { build<<<ceiling(n, 128), 128>>>(side, n, dstart, dx, dy, dz, dcount, dlist); });
    to_host(count, dcount, n);
    to_host(list, dlist, all);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++)
            sum += 1 + list[k * n + i] % 1000 * 1e-3;
    report("neighbours", best, sum);
    return 0;
}
