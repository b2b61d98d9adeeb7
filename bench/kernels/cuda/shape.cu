// Hexahedral elements of an unstructured mesh, 96^3 of them, double: gradients of the shape functions and the volume of each, from
// its eight corners, and the forces of a pressure on them; a thread an element.
#include "kernels.cuh"

__global__ void forces(int elements, const int *__restrict__ corners, const double *__restrict__ x, const double *__restrict__ y,
                       const double *__restrict__ z, const double *__restrict__ pressure, double *__restrict__ volume,
                       double *__restrict__ f)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    double c[3][8], j[3][3], n[3][3];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int node = corners[k * elements + e];
        c[0][k] = x[node];
        c[1][k] = y[node];
        c[2][k] = z[node];
    }
#pragma unroll
    for (int d = 0; d < 3; d++) {
        double t0 = c[d][6] - c[d][0], t1 = c[d][5] - c[d][3], t2 = c[d][7] - c[d][1], t3 = c[d][4] - c[d][2];
        j[0][d] = 0.125 * (t0 + t1 - t2 - t3);
        j[1][d] = 0.125 * (t0 - t1 + t2 - t3);
        j[2][d] = 0.125 * (t0 + t1 + t2 + t3);
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        n[k][0] = j[a][1] * j[b][2] - j[a][2] * j[b][1];
        n[k][1] = j[a][2] * j[b][0] - j[a][0] * j[b][2];
        n[k][2] = j[a][0] * j[b][1] - j[a][1] * j[b][0];
    }
    double p = pressure[e];
#pragma unroll
    for (int d = 0; d < 3; d++) {
        double b[4] = {-n[0][d] - n[1][d] - n[2][d], n[0][d] - n[1][d] - n[2][d], n[0][d] + n[1][d] - n[2][d],
                       -n[0][d] + n[1][d] - n[2][d]};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            f[(d * 8 + k) * elements + e] = p * b[k];
            f[(d * 8 + k + 4) * elements + e] = -p * b[(k + 2) % 4];
        }
    }
    volume[e] = 8 * (j[1][0] * n[1][0] + j[1][1] * n[1][1] + j[1][2] * n[1][2]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 96 >> (args.shift + 2) / 3, elements = n * n * n, m = n + 1, nodes = m * m * m, *corners = NEW(int, 8 * elements);
    double *x = NEW(double, nodes), *y = NEW(double, nodes), *z = NEW(double, nodes), *pressure = NEW(double, elements),
           *volume = NEW(double, elements), *f = NEW(double, 24 * elements), sum = 0;
    for (int k = 0; k < nodes; k++) {
        x[k] = k % m + 0.2 * number(k);
        y[k] = k / m % m + 0.2 * number(3 * k);
        z[k] = k / m / m + 0.2 * number(5 * k);
    }
    for (int e = 0; e < elements; e++) {
        int at = e % n + e / n % n * m + e / n / n * m * m, plane[4] = {0, 1, 1 + m, m};
        for (int k = 0; k < 8; k++)
            corners[k * elements + e] = at + plane[k % 4] + k / 4 * m * m;
        pressure[e] = 1 + number(7 * e);
    }
    int *dcorners = on_device(corners, 8 * elements);
    double *dx = on_device(x, nodes), *dy = on_device(y, nodes), *dz = on_device(z, nodes), *dp = on_device(pressure, elements),
           *dv = device<double>(elements), *df = device<double>(24 * elements);
    double best = fastest(args.repeats, [&] { forces<<<ceiling(elements, 128), 128>>>(elements, dcorners, dx, dy, dz, dp, dv, df); });
    to_host(volume, dv, elements);
    to_host(f, df, 24 * elements);
    SUM(sum, volume, elements);
    for (int k = 0; k < 24 * elements; k++)
        sum += fabs(f[k]);
    report("shape", best, sum);
    return 0;
}
