// A step of dry air over 2048 x 1024 cells, double: borders, fluxes and new state, a kernel each for both directions; blocks of 64 x 4, and a
// thread has all four variables of its cell.
#include "kernels.cuh"

constexpr int HS = 2, VARIABLES = 4, DENS = 0, UMOM = 1, WMOM = 2, RHOT = 3;
constexpr double C0 = 27.5629410929725921, GAMMA = 1.40027894002789401, GRAVITY = 9.8, DX = 10, DT = 0.02, HV = -0.05 * DX / (16 * DT);

__global__ void border_x(int nx, int nz, double *state)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, w = nx + 2 * HS;
    if (k >= nz)
        return;
    double *row = state + ((size_t)blockIdx.y * (nz + 2 * HS) + k + HS) * w;
    for (int h = 0; h < HS; h++) {
        row[h] = row[nx + h];
        row[nx + HS + h] = row[HS + h];
    }
}

__global__ void border_z(int nx, int nz, const double *__restrict__ dens, double *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + HS, w = nx + 2 * HS, ll = blockIdx.y, last = nz + HS - 1;
    if (i >= nx + HS)
        return;
    double *v = state + (size_t)ll * (nz + 2 * HS) * w + i;
    for (int h = 0; h < HS; h++) {
        int top = nz + HS + h;
        v[h * w] = ll == WMOM ? 0 : ll == UMOM ? v[HS * w] / dens[HS] * dens[h] : v[HS * w];
        v[top * w] = ll == WMOM ? 0 : ll == UMOM ? v[last * w] / dens[last] * dens[top] : v[last * w];
    }
}

template <bool z>
__global__ void fluxes(int nx, int nz, const double *__restrict__ dens, const double *__restrict__ theta, const double *__restrict__ pressure,
                       const double *__restrict__ state, double *__restrict__ flux)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y, w = nx + 2 * HS;
    if (i >= nx + !z || k >= nz + z)
        return;
    int plane = (nz + 2 * HS) * w, stride = z ? w : 1, at = z ? k * w + i + HS : (k + HS) * w + i;
    double vals[VARIABLES], d3[VARIABLES];
#pragma unroll
    for (int ll = 0; ll < VARIABLES; ll++) {
        const double *s = state + ll * plane + at;
        double a = s[0], b = s[stride], c = s[2 * stride], d = s[3 * stride];
        vals[ll] = (-a + 7 * b + 7 * c - d) * (1.0 / 12);
        d3[ll] = -a + 3 * b - 3 * c + d;
    }
    double r = vals[DENS] + dens[k], over = 1 / r, u = vals[UMOM] * over, v = vals[WMOM] * over, rt = vals[RHOT] + theta[k];
    double p = C0 * pow(rt, GAMMA);
    if (z) {
        p -= pressure[k];
        if (k == 0 || k == nz) {
            v = 0;
            d3[DENS] = 0;
        }
    }
    double speed = z ? v : u;
    int face = k * (nx + 1) + i, faces = (nz + 1) * (nx + 1);
    flux[DENS * faces + face] = r * speed - HV * d3[DENS];
    flux[UMOM * faces + face] = r * speed * u + (z ? 0 : p) - HV * d3[UMOM];
    flux[WMOM * faces + face] = r * speed * v + (z ? p : 0) - HV * d3[WMOM];
    flux[RHOT * faces + face] = rt * speed - HV * d3[RHOT];
}

template <bool z>
__global__ void advance(int nx, int nz, const double *__restrict__ state, const double *__restrict__ flux, double *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y, w = nx + 2 * HS;
    if (i >= nx || k >= nz)
        return;
    int at = (k + HS) * w + i + HS, plane = (nz + 2 * HS) * w, face = k * (nx + 1) + i, faces = (nz + 1) * (nx + 1);
    double gravity = z ? state[at] * GRAVITY : 0;
#pragma unroll
    for (int ll = 0; ll < VARIABLES; ll++) {
        double tendency = -(flux[ll * faces + face + (z ? nx + 1 : 1)] - flux[ll * faces + face]) / DX;
        if (z && ll == WMOM)
            tendency -= gravity;
        out[ll * plane + at] = state[ll * plane + at] + DT * tendency;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = 2048 >> args.shift / 2, nz = 1024 >> (args.shift + 1) / 2, plane = (nz + 2 * HS) * (nx + 2 * HS), all = VARIABLES * plane,
        faces = VARIABLES * (nz + 1) * (nx + 1), levels = nz + 2 * HS;
    double *state = NEW(double, all), *out = NEW(double, all), *dens = NEW(double, levels), *theta = NEW(double, levels),
           *dens_int = NEW(double, nz + 1), *theta_int = NEW(double, nz + 1), *pressure_int = NEW(double, nz + 1), sum = 0;
    for (int k = 0; k < levels; k++) {
        dens[k] = 1.2 - 0.8 * k / levels;
        theta[k] = 300 * dens[k];
    }
    for (int k = 0; k < nz + 1; k++) {
        dens_int[k] = 1.2 - 0.8 * (k + HS - 0.5) / levels;
        theta_int[k] = 300 * dens_int[k];
        pressure_int[k] = C0 * pow(theta_int[k], GAMMA);
    }
    for (int k = 0; k < all; k++) {
        const double scale[] = {0.02, 20, 5, 3};
        state[k] = scale[k / plane] * (number(k) - 0.3);
        out[k] = 0;
    }
    double *dmiddle = on_device(out, all), *dout = on_device(out, all), *dstate = on_device(state, all), *dflux = device<double>(faces),
           *ddens = on_device(dens, levels), *dtheta = on_device(theta, levels), *ddens_int = on_device(dens_int, nz + 1),
           *dtheta_int = on_device(theta_int, nz + 1), *dpressure_int = on_device(pressure_int, nz + 1);
    dim3 block(64, 4), grid(ceiling(nx + 1, 64), ceiling(nz + 1, 4)), cells(ceiling(nx, 64), ceiling(nz, 4));
    double best = fastest(args.repeats, [&] {
        border_x<<<dim3(ceiling(nz, 128), VARIABLES), 128>>>(nx, nz, dstate);
        fluxes<false><<<grid, block>>>(nx, nz, ddens + HS, dtheta + HS, nullptr, dstate, dflux);
        advance<false><<<cells, block>>>(nx, nz, dstate, dflux, dmiddle);
        border_z<<<dim3(ceiling(nx, 128), VARIABLES), 128>>>(nx, nz, ddens, dmiddle);
        fluxes<true><<<grid, block>>>(nx, nz, ddens_int, dtheta_int, dpressure_int, dmiddle, dflux);
        advance<true><<<cells, block>>>(nx, nz, dmiddle, dflux, dout);
    });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]);
    report("weather", best, sum);
    return 0;
}
