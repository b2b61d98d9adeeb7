// The stiffness operator of 4096 spectral elements of 8 x 8 x 8 points, double: a block an element and a thread a point, the element and
// what is derived from it in shared memory.
#include "kernels.cuh"

constexpr int ELEMENTS = 4096, P = 8, CUBE = P * P * P;

__global__ void __launch_bounds__(CUBE) stiffness(const double *__restrict__ d, const double *__restrict__ g,
                                                  const double *__restrict__ u, double *__restrict__ w)
{
    __shared__ double sd[P][P + 1], su[P][P][P], wr[P][P][P], ws[P][P][P], wt[P][P][P];
    int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, at = (k * P + j) * P + i, e = blockIdx.x;
    if (k == 0)
        sd[j][i] = d[j * P + i];
    su[k][j][i] = u[e * CUBE + at];
    const double *ge = g + (size_t)6 * CUBE * e + at;
    double g0 = ge[0], g1 = ge[CUBE], g2 = ge[2 * CUBE], g3 = ge[3 * CUBE], g4 = ge[4 * CUBE], g5 = ge[5 * CUBE];
    __syncthreads();
    double ur = 0, us = 0, ut = 0;
#pragma unroll
    for (int l = 0; l < P; l++) {
        ur += sd[i][l] * su[k][j][l];
        us += sd[j][l] * su[k][l][i];
        ut += sd[k][l] * su[l][j][i];
    }
    wr[k][j][i] = g0 * ur + g1 * us + g2 * ut;
    ws[k][j][i] = g1 * ur + g3 * us + g4 * ut;
    wt[k][j][i] = g2 * ur + g4 * us + g5 * ut;
    __syncthreads();
    double sum = 0;
#pragma unroll
    for (int l = 0; l < P; l++)
        sum += sd[l][i] * wr[k][j][l] + sd[l][j] * ws[k][l][i] + sd[l][k] * wt[l][j][i];
    w[e * CUBE + at] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift;
    double *d = NEW(double, P * P), *g = NEW(double, 6 * CUBE * n), *u = NEW(double, CUBE * n), *w = NEW(double, CUBE * n), sum = 0;
    for (int k = 0; k < P * P; k++)
        d[k] = number(k) - 0.5;
    FILL(g, 6 * CUBE * n, 1);
    FILL(u, CUBE * n, 1);
    double *dd = on_device(d, P * P), *dg = on_device(g, 6 * CUBE * n), *du = on_device(u, CUBE * n), *dw = device<double>(CUBE * n);
    double best = fastest(args.repeats, [&] { stiffness<<<n, dim3(P, P, P)>>>(dd, dg, du, dw); });
    to_host(w, dw, CUBE * n);
    for (int k = 0; k < CUBE * n; k++)
        sum += fabs(w[k]);
    report("spectral", best, sum);
    return 0;
}
