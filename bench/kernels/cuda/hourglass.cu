// Forces against hourglass modes in the 64^3 hexahedral elements of a mesh, double; a thread an element, loops unrolled so that modes
// stay in registers, atomic additions to the nodes.
#include "kernels.cuh"

constexpr int EDGE = 64;

__constant__ double gamma_of[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                      {1, -1, -1, 1, -1, 1, 1, -1},
                                      {1, -1, 1, -1, 1, -1, 1, -1},
                                      {-1, 1, -1, 1, 1, -1, 1, -1}};

__device__ double along(const double *row, const double (&values)[8])
{
    double sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += row[k] * values[k];
    return sum;
}

__device__ void gather(double (&out)[8], const double *__restrict__ in, const int (&at)[8])
{
#pragma unroll
    for (int k = 0; k < 8; k++)
        out[k] = in[at[k]];
}

__device__ void forces(const double (&modes)[4][8], const double *__restrict__ v, double factor, double *f, const int (&at)[8])
{
    double own[8], h[4];
    gather(own, v, at);
#pragma unroll
    for (int m = 0; m < 4; m++)
        h[m] = along(modes[m], own);
#pragma unroll
    for (int k = 0; k < 8; k++)
        atomicAdd(&f[at[k]], factor * (modes[0][k] * h[0] + modes[1][k] * h[1] + modes[2][k] * h[2] + modes[3][k] * h[3]));
}

__global__ void hourglass(int n, const int *__restrict__ list, const double *__restrict__ x, const double *__restrict__ y,
                          const double *__restrict__ z, const double *__restrict__ vx, const double *__restrict__ vy,
                          const double *__restrict__ vz, const double *__restrict__ dvdx, const double *__restrict__ dvdy,
                          const double *__restrict__ dvdz, const double *__restrict__ volume, const double *__restrict__ mass,
                          double *fx, double *fy, double *fz)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n)
        return;
    int at[8];
    double a[8], b[8], c[8], modes[4][8], sx[4], sy[4], sz[4], inverse = 1 / volume[e], factor = -0.03 * mass[e] * rcbrt(volume[e]);
#pragma unroll
    for (int k = 0; k < 8; k++)
        at[k] = list[k * n + e];
    gather(a, x, at);
    gather(b, y, at);
    gather(c, z, at);
#pragma unroll
    for (int m = 0; m < 4; m++) {
        sx[m] = inverse * along(gamma_of[m], a);
        sy[m] = inverse * along(gamma_of[m], b);
        sz[m] = inverse * along(gamma_of[m], c);
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        double px = dvdx[k * n + e], py = dvdy[k * n + e], pz = dvdz[k * n + e];
#pragma unroll
        for (int m = 0; m < 4; m++)
            modes[m][k] = gamma_of[m][k] - (px * sx[m] + py * sy[m] + pz * sz[m]);
    }
    forces(modes, vx, factor, fx, at);
    forces(modes, vy, factor, fy, at);
    forces(modes, vz, factor, fz, at);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int edge = EDGE, deep = EDGE >> args.shift, n = edge * edge * deep, side = edge + 1, nodes = side * side * (deep + 1);
    int *list = NEW(int, 8 * n);
    double *x = NEW(double, nodes), *y = NEW(double, nodes), *z = NEW(double, nodes), *v = NEW(double, 3 * nodes),
           *dv = NEW(double, 24 * n), *volume = NEW(double, n), *mass = NEW(double, n), *f = NEW(double, 3 * nodes), sum = 0;
    for (int e = 0; e < n; e++) {
        int i = e % edge, j = e / edge % edge, k = e / edge / edge, low = (k * side + j) * side + i, high = low + side * side;
        int corner[8] = {low, low + 1, low + side + 1, low + side, high, high + 1, high + side + 1, high + side};
        for (int c = 0; c < 8; c++)
            list[c * n + e] = corner[c];
        volume[e] = 0.5 + number(e);
        mass[e] = 1 + number(e + 1);
    }
    for (int k = 0; k < nodes; k++) {
        x[k] = k % side + 0.2 * number(k);
        y[k] = k / side % side + 0.2 * number(k + 1);
        z[k] = k / side / side + 0.2 * number(k + 2);
    }
    FILL(v, 3 * nodes, 2);
    FILL(dv, 24 * n, 0.2);
    int *dlist = on_device(list, 8 * n);
    double *dx = on_device(x, nodes), *dy = on_device(y, nodes), *dz = on_device(z, nodes), *dvel = on_device(v, 3 * nodes),
           *ddv = on_device(dv, 24 * n), *dvolume = on_device(volume, n), *dmass = on_device(mass, n), *df = device<double>(3 * nodes);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(df, 0, 3 * nodes * sizeof(double)));
        hourglass<<<ceiling(n, 128), 128>>>(n, dlist, dx, dy, dz, dvel, dvel + nodes, dvel + 2 * nodes, ddv, ddv + 8 * n, ddv + 16 * n,
                                            dvolume, dmass, df, df + nodes, df + 2 * nodes);
    });
    to_host(f, df, 3 * nodes);
    for (int k = 0; k < 3 * nodes; k++)
        sum += fabs(f[k]);
    report("hourglass", best, sum);
    return 0;
}
