// A step of the shallow-water equations on a periodic staggered grid of 2048 x 2048 doubles; a thread a point, edges copied by a small
// launch each.
#include "kernels.cuh"

constexpr int SIDE = 2048;
constexpr double DX = 1e5, DT = 90, ALPHA = 0.001;

__global__ void fluxes(int n, const double *__restrict__ u, const double *__restrict__ v, const double *__restrict__ p,
                       double *__restrict__ cu, double *__restrict__ cv, double *__restrict__ z, double *__restrict__ h)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, w = n + 1, at = i * w + j;
    if (i >= n || j >= n)
        return;
    double here = p[at], right = p[at + 1], below = p[at + w], ub = u[at + w], vr = v[at + 1], u0 = u[at], v0 = v[at];
    cu[at + w] = 0.5 * (below + here) * ub;
    cv[at + 1] = 0.5 * (right + here) * vr;
    z[at + w + 1] = 4 / DX * (v[at + w + 1] - vr - u[at + w + 1] + ub) / (here + below + p[at + w + 1] + right);
    h[at] = here + 0.25 * (ub * ub + u0 * u0 + vr * vr + v0 * v0);
}

__global__ void advance(int n, const double *__restrict__ uold, const double *__restrict__ vold, const double *__restrict__ pold,
                        const double *__restrict__ cu, const double *__restrict__ cv, const double *__restrict__ z,
                        const double *__restrict__ h, double *__restrict__ unew, double *__restrict__ vnew, double *__restrict__ pnew)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, w = n + 1, at = i * w + j;
    if (i >= n || j >= n)
        return;
    double zz = z[at + w + 1], h0 = h[at], cu0 = cu[at], cub = cu[at + w], cv0 = cv[at], cvr = cv[at + 1];
    unew[at + w] = uold[at + w] + DT / 8 * (zz + z[at + w]) * (cv[at + w + 1] + cvr + cv0 + cv[at + w]) - DT / DX * (h[at + w] - h0);
    vnew[at + 1] = vold[at + 1] - DT / 8 * (zz + z[at + 1]) * (cu[at + w + 1] + cub + cu0 + cu[at + 1]) - DT / DX * (h[at + 1] - h0);
    pnew[at] = pold[at] - DT / DX * (cub - cu0 + cvr - cv0);
}

// The edges of fields at the places of u, v, p and z; the last may be missing.
__global__ void wrap(int n, double *u, double *v, double *p, double *z)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, w = n + 1;
    if (k >= n)
        return;
    u[k] = u[n * w + k];
    u[(k + 1) * w + n] = u[(k + 1) * w];
    v[n * w + k + 1] = v[k + 1];
    v[k * w] = v[k * w + n];
    p[n * w + k] = p[k];
    p[k * w + n] = p[k * w];
    if (z) {
        z[k + 1] = z[n * w + k + 1];
        z[(k + 1) * w] = z[(k + 1) * w + n];
    }
    if (k == 0) {
        u[n] = u[n * w];
        v[n * w] = v[n];
        p[n * w + n] = p[0];
        if (z)
            z[0] = z[n * w + n];
    }
}

__global__ void filter(int all, double *__restrict__ u, double *__restrict__ v, double *__restrict__ p, double *__restrict__ uold,
                       double *__restrict__ vold, double *__restrict__ pold, const double *__restrict__ unew,
                       const double *__restrict__ vnew, const double *__restrict__ pnew)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= all)
        return;
    double a = u[k], b = v[k], c = p[k], x = unew[k], y = vnew[k], q = pnew[k];
    uold[k] = a + ALPHA * (x - 2 * a + uold[k]);
    vold[k] = b + ALPHA * (y - 2 * b + vold[k]);
    pold[k] = c + ALPHA * (q - 2 * c + pold[k]);
    u[k] = x;
    v[k] = y;
    p[k] = q;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, w = n + 1, all = w * w;
    double *a[13], *d[13], turn = 6.283185307179586 / n, *psi = NEW(double, 4 * w), sum = 0;
    for (int k = 0; k < 13; k++) {
        a[k] = NEW(double, all);
        FILL(a[k], all, 0);
    }
    for (int k = 0; k < w; k++) {
        psi[k] = sin((k + 0.5) * turn);
        psi[k + w] = sin((k - 0.5) * turn);
        psi[k + 2 * w] = cos(2 * k * turn);
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            a[0][i * w + j] = a[3][i * w + j] = -1e8 / DX * 2048 / n * psi[i] * (psi[j] - psi[j + w]);
            a[1][i * w + j] = a[4][i * w + j] = 1e8 / DX * 2048 / n * psi[j] * (psi[i] - psi[i + w]);
            a[2][i * w + j] = a[5][i * w + j] = 50000 + 2 * (psi[i + 2 * w] + psi[j + 2 * w]);
        }
    for (int k = 0; k < 13; k++)
        d[k] = on_device(a[k], all);
    dim3 block(64, 4), grid(ceiling(n, 64), ceiling(n, 4));
    double best = fastest(args.repeats, [&] {
        fluxes<<<grid, block>>>(n, d[0], d[1], d[2], d[9], d[10], d[11], d[12]);
        wrap<<<ceiling(n, 128), 128>>>(n, d[9], d[10], d[12], d[11]);
        advance<<<grid, block>>>(n, d[3], d[4], d[5], d[9], d[10], d[11], d[12], d[6], d[7], d[8]);
        wrap<<<ceiling(n, 128), 128>>>(n, d[6], d[7], d[8], nullptr);
        filter<<<ceiling(all, 256), 256>>>(all, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]);
    });
    for (int k = 0; k < 3; k++)
        to_host(a[k], d[k], all);
    for (int k = 0; k < all; k++)
        sum += fabs(a[0][k]) + fabs(a[1][k]) + fabs(a[2][k] - 50000);
    report("shallow", best, sum);
    return 0;
}
