// The field strength of a lattice of 16 x 16 x 16 x 32 sites, double complex: a thread a site and plane, matrices in registers, entries of all sites together.
#include "kernels.cuh"
#include <algorithm>

enum { SIDE = 16, LENGTH = 32, PLANES = 6, THREADS = 128 };

struct matrix {
    double2 e[9];
};

__device__ __forceinline__ matrix load(const double2 *__restrict__ u, int sites, int s)
{
    matrix m;
#pragma unroll
    for (int e = 0; e < 9; e++)
        m.e[e] = u[e * sites + s];
    return m;
}

__device__ __forceinline__ matrix load_adjoint(const double2 *__restrict__ u, int sites, int s)
{
    matrix m;
#pragma unroll
    for (int e = 0; e < 9; e++) {
        double2 a = u[e * sites + s];
        m.e[e % 3 * 3 + e / 3] = make_double2(a.x, -a.y);
    }
    return m;
}

__device__ __forceinline__ matrix operator*(const matrix &a, const matrix &b)
{
    matrix c;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            double re = 0, im = 0;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                double2 x = a.e[3 * i + k], y = b.e[3 * k + j];
                re += x.x * y.x - x.y * y.y;
                im += x.x * y.y + x.y * y.x;
            }
            c.e[3 * i + j] = make_double2(re, im);
        }
    return c;
}

__device__ __forceinline__ void add(matrix &sum, const matrix &a)
{
#pragma unroll
    for (int e = 0; e < 9; e++) {
        sum.e[e].x += a.e[e].x;
        sum.e[e].y += a.e[e].y;
    }
}

__global__ void __launch_bounds__(THREADS) strength(int sites, const int *__restrict__ up, const int *__restrict__ down, const double2 *__restrict__ links,
                                                    double2 *__restrict__ field)
{
    int s = blockIdx.x * THREADS + threadIdx.x, plane = blockIdx.y;
    if (s >= sites)
        return;
    int mu = plane < 3 ? 0 : plane < 5 ? 1 : 2, nu = plane < 3 ? plane + 1 : plane < 5 ? plane - 1 : 3;
    const double2 *u = links + mu * 9 * sites, *v = links + nu * 9 * sites;
    int back = down[mu * sites + s], under = down[nu * sites + s], corner = down[nu * sites + back], right = up[mu * sites + s], over = up[nu * sites + s];
    matrix q = load(u, sites, s) * load(v, sites, right) * load_adjoint(u, sites, over) * load_adjoint(v, sites, s);
    add(q, load(v, sites, s) * load_adjoint(u, sites, up[nu * sites + back]) * load_adjoint(v, sites, back) * load(u, sites, back));
    add(q, load_adjoint(u, sites, back) * load_adjoint(v, sites, corner) * load(u, sites, corner) * load(v, sites, under));
    add(q, load_adjoint(v, sites, under) * load(u, sites, under) * load(v, sites, up[mu * sites + under]) * load_adjoint(u, sites, s));
    double trace = 0.25 / 3 * (q.e[0].y + q.e[4].y + q.e[8].y);
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            double2 a = q.e[3 * i + j], b = q.e[3 * j + i];
            field[(plane * 9 + 3 * i + j) * sites + s] = make_double2(0.125 * (a.x - b.x), 0.125 * (a.y + b.y) - (i == j ? trace : 0));
        }
}

__global__ void sums(int sites, const double2 *__restrict__ field, double *__restrict__ result)
{
    __shared__ double warps[THREADS / 32];
    double sum = 0;
    for (int s = blockIdx.x * THREADS + threadIdx.x; s < sites; s += gridDim.x * THREADS)
        for (int p = 0; p < PLANES / 2; p++) {
            double2 f[9], g[9];
#pragma unroll
            for (int e = 0; e < 9; e++) {
                f[e] = field[(p * 9 + e) * sites + s];
                g[e] = field[((PLANES - 1 - p) * 9 + e) * sites + s];
                sum += f[e].x * f[e].x + f[e].y * f[e].y + g[e].x * g[e].x + g[e].y * g[e].y;
            }
            double part = 0;
#pragma unroll
            for (int e = 0; e < 9; e++)
                part += f[e].x * g[e % 3 * 3 + e / 3].x - f[e].y * g[e % 3 * 3 + e / 3].y;
            sum += p == 1 ? -part : part;
        }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum += warps[w];
        atomicAdd(result, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int length = LENGTH >> args.shift, sites = SIDE * SIDE * SIDE * length, *up = NEW(int, 4 * sites), *down = NEW(int, 4 * sites);
    double2 *links = NEW(double2, 36 * sites), *field = NEW(double2, 9 * PLANES * sites);
    double *result = pinned<double>(), sum = 0;
    for (int mu = 0, stride = 1; mu < 4; mu++, stride *= SIDE)
        for (int s = 0; s < sites; s++) {
            int size = mu == 3 ? length : SIDE, at = s / stride % size;
            up[mu * sites + s] = s + (at == size - 1 ? 1 - size : 1) * stride;
            down[mu * sites + s] = s + (at == 0 ? size - 1 : -1) * stride;
        }
    for (int s = 0; s < sites; s++)
        for (int k = 0; k < 36; k++)
            links[k * sites + s] = make_double2((k % 9 % 4 == 0) + 0.5 * (number(72 * s + 2 * k) - 0.5), 0.5 * (number(72 * s + 2 * k + 1) - 0.5));
    int *dup = on_device(up, 4 * sites), *ddown = on_device(down, 4 * sites);
    double2 *dlinks = on_device(links, 36 * sites), *dfield = device<double2>(9 * PLANES * sites);
    double *dresult = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dresult, 0, sizeof(double)));
        strength<<<dim3(ceiling(sites, THREADS), PLANES), THREADS>>>(sites, dup, ddown, dlinks, dfield);
        sums<<<std::min(ceiling(sites, THREADS), 8 * multiprocessors()), THREADS>>>(sites, dfield, dresult);
        CHECK(cudaMemcpyAsync(result, dresult, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(field, dfield, 9 * PLANES * sites);
    for (int k = 0; k < 9 * PLANES * sites; k++)
        sum += fabs(field[k].y);
    report("clover", best, sum + *result);
    return 0;
}
