// Three steps of a large-eddy simulation on 128^3 periodic cells, double: a kernel for the viscosity and one for the step, a thread a
// cell in blocks of 32 x 4 x 2; energies by warp sums.
#include "kernels.cuh"

constexpr int SIDE = 128, STEPS = 3, TX = 32, TY = 4, TZ = 2;
constexpr double DT = 0.002, CS2 = 0.17 * 0.17, NU = 1e-3, H = 1.0 / SIDE, HALF = 0.5 / H;

struct around {
    int c, e, o, t, b, f, r;
};

__device__ around cells(int depth)
{
    int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y, k = blockIdx.z * TZ + threadIdx.z;
    int row = (k * SIDE + j) * SIDE, plane = k * SIDE * SIDE;
    return {row + i, row + (i + 1) % SIDE, row + (i + SIDE - 1) % SIDE, plane + (j + 1) % SIDE * SIDE + i,
            plane + (j + SIDE - 1) % SIDE * SIDE + i, ((k + 1 == depth ? 0 : k + 1) * SIDE + j) * SIDE + i,
            ((k == 0 ? depth - 1 : k - 1) * SIDE + j) * SIDE + i};
}

__global__ void __launch_bounds__(TX * TY * TZ)
viscosity(int depth, const double *__restrict__ u, const double *__restrict__ v, const double *__restrict__ w,
          double *__restrict__ nu)
{
    if (blockIdx.z * TZ + threadIdx.z >= depth)
        return;
    around a = cells(depth);
    double ux = (u[a.e] - u[a.o]) * HALF, uy = (u[a.t] - u[a.b]) * HALF, uz = (u[a.f] - u[a.r]) * HALF;
    double vx = (v[a.e] - v[a.o]) * HALF, vy = (v[a.t] - v[a.b]) * HALF, vz = (v[a.f] - v[a.r]) * HALF;
    double wx = (w[a.e] - w[a.o]) * HALF, wy = (w[a.t] - w[a.b]) * HALF, wz = (w[a.f] - w[a.r]) * HALF;
    double s = 2 * (ux * ux + vy * vy + wz * wz) + (uy + vx) * (uy + vx) + (uz + wx) * (uz + wx) + (vz + wy) * (vz + wy);
    nu[a.c] = NU + CS2 * H * H * sqrt(s);
}

struct faces {
    double e, o, t, b, f, r;
};

__device__ double moved(const double *__restrict__ q, const around &a, const faces &n, double x, double y, double z)
{
    double c = q[a.c], e = q[a.e], o = q[a.o], t = q[a.t], b = q[a.b], f = q[a.f], r = q[a.r];
    double spread = n.e * (e - c) + n.o * (o - c) + n.t * (t - c) + n.b * (b - c) + n.f * (f - c) + n.r * (r - c);
    double carried = x * (e - o) + y * (t - b) + z * (f - r);
    return c + DT * (spread * (0.5 * SIDE * SIDE) - carried * HALF);
}

__global__ void __launch_bounds__(TX * TY * TZ)
step(int depth, const double *__restrict__ u, const double *__restrict__ v, const double *__restrict__ w,
     const double *__restrict__ nu, double *__restrict__ un, double *__restrict__ vn, double *__restrict__ wn,
     double *__restrict__ energy)
{
    __shared__ double sums[TY * TZ];
    double sum = 0;
    if (blockIdx.z * TZ + threadIdx.z < depth) {
        around a = cells(depth);
        double here = nu[a.c], x = u[a.c], y = v[a.c], z = w[a.c];
        faces n = {nu[a.e] + here, nu[a.o] + here, nu[a.t] + here, nu[a.b] + here, nu[a.f] + here, nu[a.r] + here};
        double nx = moved(u, a, n, x, y, z), ny = moved(v, a, n, x, y, z), nz = moved(w, a, n, x, y, z);
        un[a.c] = nx;
        vn[a.c] = ny;
        wn[a.c] = nz;
        sum = 0.5 * (nx * nx + ny * ny + nz * nz);
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0)
        sums[threadIdx.z * TY + threadIdx.y] = sum;
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        for (int k = 1; k < TY * TZ; k++)
            sum += sums[k];
        atomicAdd(energy, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE;
    double *u = NEW(double, n), *v = NEW(double, n), *w = NEW(double, n), energy[STEPS], sum = 0, *du[3], *dv[3], *dw[3];
    for (int c = 0; c < n; c++) {
        double a = 2 * M_PI / SIDE, x = a * (c % SIDE), y = a * (c / SIDE % SIDE), z = 2 * M_PI * (c / SIDE / SIDE) / depth;
        u[c] = sin(x) * cos(y) * cos(z) + 0.05 * number(3 * c);
        v[c] = -cos(x) * sin(y) * cos(z) + 0.05 * number(3 * c + 1);
        w[c] = 0.1 * sin(2 * x + y) + 0.05 * number(3 * c + 2);
    }
    du[0] = on_device(u, n);
    dv[0] = on_device(v, n);
    dw[0] = on_device(w, n);
    for (int f = 1; f < 3; f++) {
        du[f] = device<double>(n);
        dv[f] = device<double>(n);
        dw[f] = device<double>(n);
    }
    double *dnu = device<double>(n), *denergy = device<double>(STEPS);
    dim3 grid(SIDE / TX, SIDE / TY, ceiling(depth, TZ)), block(TX, TY, TZ);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(denergy, 0, sizeof energy));
        for (int s = 0; s < STEPS; s++) {
            // the first fields stay for the next lap
            int from = s ? 2 - s % 2 : 0, to = 1 + s % 2;
            viscosity<<<grid, block>>>(depth, du[from], dv[from], dw[from], dnu);
            step<<<grid, block>>>(depth, du[from], dv[from], dw[from], dnu, du[to], dv[to], dw[to], denergy + s);
        }
        CHECK(cudaMemcpy(energy, denergy, sizeof energy, cudaMemcpyDeviceToHost));
    });
    to_host(u, du[1], n);
    to_host(v, dv[1], n);
    to_host(w, dw[1], n);
    for (int c = 0; c < n; c++)
        sum += fabs(u[c]) + 2 * fabs(v[c]) + 3 * fabs(w[c]);
    for (int s = 0; s < STEPS; s++)
        sum += energy[s] / n * 100;
    report("eddies", best, sum);
    return 0;
}
