// The hopping term of staggered quarks on a lattice of 16 x 16 x 16 x 32 sites, double complex: a thread a site, real and imaginary parts in one
// load.
#include "kernels.cuh"

constexpr int SIDE = 16, LONG = 32;

__device__ void plus_times(double2 &s, double2 a, double2 b)
{
    s.x += a.x * b.x - a.y * b.y;
    s.y += a.x * b.y + a.y * b.x;
}

// with the conjugate of a
__device__ void plus_conjugate_times(double2 &s, double2 a, double2 b)
{
    s.x += a.x * b.x + a.y * b.y;
    s.y += a.x * b.y - a.y * b.x;
}

__global__ void hop(int t_side, const double2 *__restrict__ link, const double2 *__restrict__ v, double2 *__restrict__ out)
{
    int sites = SIDE * SIDE * SIDE * t_side, here = blockIdx.x * blockDim.x + threadIdx.x;
    if (here >= sites)
        return;
    int at[4] = {here % SIDE, here / SIDE % SIDE, here / (SIDE * SIDE) % SIDE, here / (SIDE * SIDE * SIDE)};
    int side[4] = {SIDE, SIDE, SIDE, t_side}, step[4] = {1, SIDE, SIDE * SIDE, SIDE * SIDE * SIDE}, before = 0;
    double2 sum[3] = {};
#pragma unroll
    for (int mu = 0; mu < 4; mu++) {
        int up = here + (at[mu] == side[mu] - 1 ? step[mu] - side[mu] * step[mu] : step[mu]);
        int down = here - (at[mu] == 0 ? step[mu] - side[mu] * step[mu] : step[mu]);
        double2 a[3], plus[3] = {}, minus[3] = {};
#pragma unroll
        for (int c = 0; c < 3; c++)
            a[c] = v[c * sites + up];
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++)
                plus_times(plus[r], link[(9 * mu + 3 * r + c) * sites + here], a[c]);
#pragma unroll
        for (int c = 0; c < 3; c++)
            a[c] = v[c * sites + down];
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++)
                plus_conjugate_times(minus[c], link[(9 * mu + 3 * r + c) * sites + down], a[r]);
        double sign = before & 1 ? -0.5 : 0.5;
#pragma unroll
        for (int r = 0; r < 3; r++) {
            sum[r].x += sign * (plus[r].x - minus[r].x);
            sum[r].y += sign * (plus[r].y - minus[r].y);
        }
        before += at[mu];
    }
#pragma unroll
    for (int r = 0; r < 3; r++)
        out[r * sites + here] = sum[r];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int t_side = LONG >> args.shift > 1 ? LONG >> args.shift : 2, sites = SIDE * SIDE * SIDE * t_side, links = 36 * sites, all = 3 * sites;
    double2 *link = NEW(double2, links), *v = NEW(double2, all), *out = NEW(double2, all);
    double *parts = (double *)out, sum = 0;
    for (int k = 0; k < links; k++)
        link[k] = make_double2(number(2 * k) - 0.5, number(2 * k + 1) - 0.5);
    for (int k = 0; k < all; k++)
        v[k] = make_double2(number(5 * k), number(5 * k + 1));
    double2 *dlink = on_device(link, links), *dv = on_device(v, all), *dout = device<double2>(all);
    double best = fastest(args.repeats, [&] { hop<<<ceiling(sites, 128), 128>>>(t_side, dlink, dv, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < 2 * all; k++)
        sum += fabs(parts[k]) * (1 + k % 3);
    report("hopping", best, sum);
    return 0;
}
