// Artificial viscosity in 144^3 hexahedra of an unstructured mesh, double: gradients from eight nodes, then limits by neighbours; a thread an element.
#include "kernels.cuh"

enum { SIDE = 144, XM_SYMM = 1, XM_FREE = 2, XP_SYMM = 4, XP_FREE = 8 };
#define TINY 1e-36
#define QLIMIT 2.0
#define LINEAR 0.5
#define SQUARE (2.0 / 3.0)

struct field { const double *x, *y, *z; };

__device__ double3 side(const field f, const int a[4], const int b[4])
{
    double3 d = make_double3(0, 0, 0);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        d.x += f.x[a[c]] - f.x[b[c]];
        d.y += f.y[a[c]] - f.y[b[c]];
        d.z += f.z[a[c]] - f.z[b[c]];
    }
    return make_double3(0.25 * d.x, 0.25 * d.y, 0.25 * d.z);
}

__device__ void one(double3 a, double3 b, double3 d, double volume, double *length, double *slope)
{
    double x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x;
    *length = volume * rsqrt(x * x + y * y + z * z + TINY);
    *slope = (x * d.x + y * d.y + z * d.z) / (volume + TINY);
}

__global__ void gradients(int elements, const int4 *__restrict__ corner, field at, field speed, const double *__restrict__ volume,
                          double *__restrict__ length, double *__restrict__ slope)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    int4 l = corner[2 * e], h = corner[2 * e + 1];
    int east[4] = {l.y, l.z, h.z, h.y}, west[4] = {l.x, l.w, h.w, h.x}, north[4] = {l.w, l.z, h.w, h.z}, south[4] = {l.x, l.y, h.y, h.x};
    int high[4] = {h.x, h.y, h.z, h.w}, low[4] = {l.x, l.y, l.z, l.w};
    double3 i = side(at, east, west), j = side(at, north, south), k = side(at, high, low);
    double v = volume[e];
    one(j, k, side(speed, east, west), v, &length[e], &slope[e]);
    one(k, i, side(speed, north, south), v, &length[elements + e], &slope[elements + e]);
    one(i, j, side(speed, high, low), v, &length[2 * elements + e], &slope[2 * elements + e]);
}

__global__ void viscosity(int elements, const int *__restrict__ neighbour, const int *__restrict__ border, const double *__restrict__ length,
                          const double *__restrict__ slope, const double *__restrict__ density, double *__restrict__ linear, double *__restrict__ square)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    double ql = 0, qs = 0;
#pragma unroll
    for (int d = 0; d < 3; d++) {
        int mask = border[d * elements + e];
        double mine = slope[d * elements + e], norm = 1 / (mine + TINY);
        double minus = mask & XM_SYMM ? mine : mask & XM_FREE ? 0 : slope[d * elements + neighbour[2 * d * elements + e]];
        double plus = mask & XP_SYMM ? mine : mask & XP_FREE ? 0 : slope[d * elements + neighbour[(2 * d + 1) * elements + e]];
        minus *= norm;
        plus *= norm;
        double phi = fmin(0.5 * (minus + plus), fmin(minus * QLIMIT, plus * QLIMIT));
        phi = fmax(0.0, fmin(phi, 1.0));
        double jump = fmin(mine * length[d * elements + e], 0.0);
        ql += jump * (1 - phi);
        qs += jump * jump * (1 - phi * phi);
    }
    linear[e] = -LINEAR * density[e] * ql;
    square[e] = SQUARE * density[e] * qs;
}

static void mesh(int s, int *corner, double *at[3], double *speed[3], double *volume, int *neighbour, int *border, double *density)
{
    int m = s + 1, elements = s * s * s, step[3] = {1, s, s * s};
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) {
                int n = (k * m + j) * m + i, place[3] = {i, j, k};
                for (int c = 0; c < 3; c++) {
                    at[c][n] = place[c] + 0.2 * number(3 * n + c);
                    speed[c][n] = number(3 * n + c + 7000001) - 0.02 * place[c];
                }
            }
    for (int e = 0; e < elements; e++) {
        int place[3] = {e % s, e / s % s, e / s / s}, n = (place[2] * m + place[1]) * m + place[0];
        int c[8] = {n, n + 1, n + m + 1, n + m, n + m * m, n + m * m + 1, n + m * m + m + 1, n + m * m + m};
        for (int k = 0; k < 8; k++)
            corner[8 * e + k] = c[k];
        volume[e] = 0.8 + 0.4 * number(e);
        density[e] = 1 + number(e + 5);
        for (int d = 0; d < 3; d++) {
            neighbour[2 * d * elements + e] = place[d] > 0 ? e - step[d] : e;
            neighbour[(2 * d + 1) * elements + e] = place[d] < s - 1 ? e + step[d] : e;
            border[d * elements + e] = (place[d] == 0 ? XM_SYMM : 0) | (place[d] == s - 1 ? XP_FREE : 0);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int s = SIDE >> (args.shift + 2) / 3, elements = s * s * s, nodes = (s + 1) * (s + 1) * (s + 1);
    int *corner = NEW(int, 8 * elements), *neighbour = NEW(int, 6 * elements), *border = NEW(int, 3 * elements);
    double *at[3], *speed[3], *volume = NEW(double, elements), *density = NEW(double, elements), *linear = NEW(double, elements),
                              *square = NEW(double, elements), sum = 0;
    for (int c = 0; c < 3; c++) {
        at[c] = NEW(double, nodes);
        speed[c] = NEW(double, nodes);
    }
    mesh(s, corner, at, speed, volume, neighbour, border, density);
    field dat = {on_device(at[0], nodes), on_device(at[1], nodes), on_device(at[2], nodes)};
    field dspeed = {on_device(speed[0], nodes), on_device(speed[1], nodes), on_device(speed[2], nodes)};
    int *dcorner = on_device(corner, 8 * elements), *dneighbour = on_device(neighbour, 6 * elements), *dborder = on_device(border, 3 * elements);
    double *dvolume = on_device(volume, elements), *ddensity = on_device(density, elements), *dlength = device<double>(3 * elements),
           *dslope = device<double>(3 * elements), *dlinear = device<double>(elements), *dsquare = device<double>(elements);
    double best = fastest(args.repeats, [&] {
        gradients<<<ceiling(elements, 128), 128>>>(elements, (const int4 *)dcorner, dat, dspeed, dvolume, dlength, dslope);
        viscosity<<<ceiling(elements, 128), 128>>>(elements, dneighbour, dborder, dlength, dslope, ddensity, dlinear, dsquare);
    });
    to_host(linear, dlinear, elements);
    to_host(square, dsquare, elements);
    SUM(sum, linear, elements);
    SUM(sum, square, elements);
    report("monotonic", best, sum);
    return 0;
}
