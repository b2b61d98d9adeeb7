// A tensor contraction, double: t[i][j][l] = sum of a[i][k][j] b[k][l] over k. A block has 4 j of an i, and all l; b and its
// part of a are in shared memory.
#include "kernels.cuh"

constexpr int I = 128, J = 64, K = 64, L = 64, ROWS = 4;

__global__ void contract(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ t)
{
    __shared__ double all_b[K][L], part[K][ROWS];
    int l = threadIdx.x, row = threadIdx.y, i = blockIdx.y, first = blockIdx.x * ROWS;
    int thread = row * L + l;
    for (int e = thread; e < K * L; e += L * ROWS)
        all_b[e / L][e % L] = b[e];
    for (int e = thread; e < K * ROWS; e += L * ROWS)
        part[e / ROWS][e % ROWS] = a[(i * K + e / ROWS) * J + first + e % ROWS];
    __syncthreads();
    double s = 0;
#pragma unroll 16
    for (int k = 0; k < K; k++)
        s += part[k][row] * all_b[k][l];
    t[(i * J + first + row) * L + l] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = I >> args.shift, all = n * J * L;
    double *a = NEW(double, n *K *J), *b = NEW(double, K *L), *t = NEW(double, all), sum = 0;
    FILL(a, n * K * J, 1);
    FILL(b, K * L, 1);
    double *da = on_device(a, n * K * J), *db = on_device(b, K * L), *dt = device<double>(all);
    double best = fastest(args.repeats, [&] { contract<<<dim3(J / ROWS, n), dim3(L, ROWS)>>>(da, db, dt); });
    to_host(t, dt, all);
    SUM(sum, t, all);
    report("contraction", best, sum);
    return 0;
}
