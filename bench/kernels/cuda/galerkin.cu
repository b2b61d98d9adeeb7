// Maxwell's equations in the plane by discontinuous Galerkin's method of fourth order on 294912 triangles of 15 nodes, double: a block has 16
// triangles, whose fields and fluxes are in shared memory beside the three matrices; 16 threads for each.
#include "kernels.cuh"

constexpr int SQUARES = 384, ORDER = 4, NODES = 15, SIDE = 5, EDGES = 3, POINTS = SIDE * EDGES, GROUP = 16;

__global__ void __launch_bounds__(16 * GROUP)
    maxwell(int elements, const double *__restrict__ dr, const double *__restrict__ ds, const double *__restrict__ lift,
            const int *__restrict__ inside, const int *__restrict__ outside, const double4 *__restrict__ geometry,
            const double *__restrict__ normal, const double *__restrict__ hx, const double *__restrict__ hy, const double *__restrict__ ez,
            double *__restrict__ hx_rate, double *__restrict__ hy_rate, double *__restrict__ ez_rate)
{
    __shared__ double by_r[NODES][NODES], by_s[NODES][NODES], lifts[POINTS][NODES];
    __shared__ double x[GROUP][NODES], y[GROUP][NODES], z[GROUP][NODES], fx[GROUP][POINTS], fy[GROUP][POINTS], fz[GROUP][POINTS];
    int i = threadIdx.x, g = threadIdx.y, e = blockIdx.x * GROUP + g, me = g * 16 + i, here = e * NODES + i;
    bool on = i < NODES && e < elements;
    if (me < NODES * NODES) {
        (&by_r[0][0])[me] = dr[me];
        (&by_s[0][0])[me] = ds[me];
        (&lifts[0][0])[me] = lift[me];
    }
    if (on) {
        x[g][i] = hx[here];
        y[g][i] = hy[here];
        z[g][i] = ez[here];
    }
    __syncthreads();
    if (on) {
        int in = inside[i], out = outside[e * POINTS + i];
        const double *n = normal + 3 * (e * EDGES + i / SIDE);
        double nx = n[0], ny = n[1], half = 0.5 * n[2];
        double dx = x[g][in] - hx[out], dy = y[g][in] - hy[out], dz = z[g][in] - ez[out], along = nx * dx + ny * dy;
        fx[g][i] = half * (ny * dz + nx * along - dx);
        fy[g][i] = half * (ny * along - nx * dz - dy);
        fz[g][i] = half * (ny * dx - nx * dy - dz);
    }
    __syncthreads();
    if (!on)
        return;
    double xr = 0, xs = 0, yr = 0, ys = 0, zr = 0, zs = 0, lx = 0, ly = 0, lz = 0;
#pragma unroll
    for (int j = 0; j < NODES; j++) {
        double r = by_r[j][i], s = by_s[j][i], l = lifts[j][i];
        xr += r * x[g][j];
        xs += s * x[g][j];
        yr += r * y[g][j];
        ys += s * y[g][j];
        zr += r * z[g][j];
        zs += s * z[g][j];
        lx += l * fx[g][j];
        ly += l * fy[g][j];
        lz += l * fz[g][j];
    }
    double4 m = geometry[e];
    hx_rate[here] = lx - m.z * zr - m.w * zs;
    hy_rate[here] = ly + m.x * zr + m.y * zs;
    ez_rate[here] = lz + m.x * yr + m.y * ys - m.z * xr - m.w * xs;
}

// A corner of the mesh, moved a little.
static void corner(int m, int i, int j, double *p)
{
    int c = (i + m) % m + m * ((j + m) % m);
    p[0] = (i + 0.3 * (number(c) - 0.5)) / m;
    p[1] = (j + 0.3 * (number(c + m * m) - 0.5)) / m;
}

// Node (i, j) of a triangle, i + j <= ORDER.
static int node(int i, int j) { return j * (2 * ORDER + 3 - j) / 2 + i; }

static void mesh(int m, int *inside, int *outside, double *geometry, double *normal)
{
    for (int k = 0; k < SIDE; k++) {
        inside[k] = node(k, 0);
        inside[SIDE + k] = node(ORDER - k, k);
        inside[2 * SIDE + k] = node(0, k);
    }
    for (int e = 0; e < 2 * m * m; e++) {
        int upper = e % 2, x = e / 2 % m, y = e / 2 / m, to = upper ? 1 : -1;
        int beyond[EDGES] = {x + m * ((y + to + m) % m), x + m * y, (x + to + m) % m + m * y};
        double a[2], b[2], c[2];
        corner(m, x + upper, y + upper, a);
        corner(m, x + 1 - upper, y + upper, b);
        corner(m, x + upper, y + 1 - upper, c);
        double xr = (b[0] - a[0]) / 2, yr = (b[1] - a[1]) / 2, xs = (c[0] - a[0]) / 2, ys = (c[1] - a[1]) / 2, area = xr * ys - xs * yr;
        double *g = geometry + 4 * e;
        g[0] = ys / area;
        g[1] = -yr / area;
        g[2] = -xs / area;
        g[3] = xr / area;
        double nx[EDGES] = {yr, ys - yr, -ys}, ny[EDGES] = {-xr, xr - xs, xs};
        for (int f = 0; f < EDGES; f++) {
            double size = sqrt(nx[f] * nx[f] + ny[f] * ny[f]), *n = normal + 3 * (e * EDGES + f);
            n[0] = nx[f] / size;
            n[1] = ny[f] / size;
            n[2] = size / area;
            for (int k = 0; k < SIDE; k++)
                outside[e * POINTS + f * SIDE + k] = (2 * beyond[f] + 1 - upper) * NODES + inside[f * SIDE + ORDER - k];
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = SQUARES >> args.shift / 2, elements = 2 * m * m, all = NODES * elements;
    double *dr = NEW(double, NODES * NODES), *ds = NEW(double, NODES * NODES), *lift = NEW(double, NODES * POINTS);
    double *geometry = NEW(double, 4 * elements), *normal = NEW(double, 3 * EDGES * elements), sum = 0;
    double *hx = NEW(double, all), *hy = NEW(double, all), *ez = NEW(double, all);
    int *inside = NEW(int, POINTS), *outside = NEW(int, POINTS * elements);
    mesh(m, inside, outside, geometry, normal);
    for (int k = 0; k < NODES * NODES; k++) {
        dr[k] = 4 * (number(k) - 0.5);
        ds[k] = 4 * (number(k + 300) - 0.5);
        lift[k] = 3 * (number(k + 600) - 0.3);
    }
    FILL(hx, all, 1);
    FILL(hy, all, 0.7);
    FILL(ez, all, -1.3);
    double *ddr = on_device(dr, NODES * NODES), *dds = on_device(ds, NODES * NODES), *dlift = on_device(lift, NODES * POINTS);
    double *dgeometry = on_device(geometry, 4 * elements), *dnormal = on_device(normal, 3 * EDGES * elements);
    double *dhx = on_device(hx, all), *dhy = on_device(hy, all), *dez = on_device(ez, all);
    double *x = device<double>(all), *y = device<double>(all), *z = device<double>(all);
    int *dinside = on_device(inside, POINTS), *doutside = on_device(outside, POINTS * elements);
    double best = fastest(args.repeats, [&] {
        maxwell<<<ceiling(elements, GROUP), dim3(16, GROUP)>>>(elements, ddr, dds, dlift, dinside, doutside, (const double4 *)dgeometry, dnormal, dhx,
                                                               dhy, dez, x, y, z);
    });
    to_host(hx, x, all);
    to_host(hy, y, all);
    to_host(ez, z, all);
    for (int k = 0; k < all; k++)
        sum += fabs(hx[k]) + fabs(hy[k]) + fabs(ez[k]);
    report("galerkin", best, sum);
    return 0;
}
