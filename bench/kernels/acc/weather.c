// A step of dry air over 2048 x 1024 cells, double, along one direction and then the other: fluxes from four cells each with a viscosity of
// fourth order, tendencies and the new state; periodic to the sides, walls above and below.
#include "../kernels.h"

enum { NX = 2048, NZ = 1024, HS = 2, VARIABLES = 4, DENS = 0, UMOM = 1, WMOM = 2, RHOT = 3 };

#define C0 27.5629410929725921
#define GAMMA 1.40027894002789401
#define GRAVITY 9.8
#define DX 10.0
#define DT 0.02
#define HV (-0.05 * DX / (16 * DT))

#if SPELLING == 1
static void along_x(int nx, int nz, const double *restrict dens, const double *restrict theta, double *restrict state, double *restrict flux,
                    double *restrict out)
{
    int w = nx + 2 * HS, all = VARIABLES * (nz + 2 * HS) * w, faces = VARIABLES * (nz + 1) * (nx + 1);
#pragma acc parallel loop collapse(2) async present(state[0:all])
#pragma omp parallel for
    for (int ll = 0; ll < VARIABLES; ll++)
        for (int k = 0; k < nz; k++) {
            int row = (ll * (nz + 2 * HS) + k + HS) * w;
            state[row] = state[row + nx];
            state[row + 1] = state[row + nx + 1];
            state[row + nx + HS] = state[row + HS];
            state[row + nx + HS + 1] = state[row + HS + 1];
        }
#pragma acc parallel loop collapse(2) async present(dens[0:nz + 2 * HS], theta[0:nz + 2 * HS], state[0:all], flux[0:faces])
#pragma omp parallel for
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx + 1; i++) {
            double stencil[4], vals[VARIABLES], d3[VARIABLES];
            for (int ll = 0; ll < VARIABLES; ll++) {
                for (int s = 0; s < 4; s++)
                    stencil[s] = state[(ll * (nz + 2 * HS) + k + HS) * w + i + s];
                vals[ll] = -stencil[0] / 12 + 7 * stencil[1] / 12 + 7 * stencil[2] / 12 - stencil[3] / 12;
                d3[ll] = -stencil[0] + 3 * stencil[1] - 3 * stencil[2] + stencil[3];
            }
            double r = vals[DENS] + dens[k + HS], u = vals[UMOM] / r, v = vals[WMOM] / r, t = (vals[RHOT] + theta[k + HS]) / r;
            double p = C0 * pow(r * t, GAMMA);
            int at = k * (nx + 1) + i, plane = (nz + 1) * (nx + 1);
            flux[DENS * plane + at] = r * u - HV * d3[DENS];
            flux[UMOM * plane + at] = r * u * u + p - HV * d3[UMOM];
            flux[WMOM * plane + at] = r * u * v - HV * d3[WMOM];
            flux[RHOT * plane + at] = r * u * t - HV * d3[RHOT];
        }
#pragma acc parallel loop collapse(3) async present(state[0:all], flux[0:faces], out[0:all])
#pragma omp parallel for collapse(2)
    for (int ll = 0; ll < VARIABLES; ll++)
        for (int k = 0; k < nz; k++)
            for (int i = 0; i < nx; i++) {
                int at = (ll * (nz + 2 * HS) + k + HS) * w + i + HS, face = (ll * (nz + 1) + k) * (nx + 1) + i;
                out[at] = state[at] - DT * (flux[face + 1] - flux[face]) / DX;
            }
}

static void along_z(int nx, int nz, const double *restrict dens, const double *restrict dens_int, const double *restrict theta_int,
                    const double *restrict pressure_int, double *restrict state, double *restrict flux, double *restrict out)
{
    int w = nx + 2 * HS, all = VARIABLES * (nz + 2 * HS) * w, faces = VARIABLES * (nz + 1) * (nx + 1);
#pragma acc parallel loop collapse(2) async present(dens[0:nz + 2 * HS], state[0:all])
#pragma omp parallel for
    for (int ll = 0; ll < VARIABLES; ll++)
        for (int i = HS; i < nx + HS; i++) {
            double *v = state + ll * (nz + 2 * HS) * w + i;
            for (int h = 0; h < HS; h++) {
                int top = nz + HS + h;
                v[h * w] = ll == WMOM ? 0 : ll == UMOM ? v[HS * w] / dens[HS] * dens[h] : v[HS * w];
                v[top * w] = ll == WMOM ? 0 : ll == UMOM ? v[(nz + HS - 1) * w] / dens[nz + HS - 1] * dens[top] : v[(nz + HS - 1) * w];
            }
        }
#pragma acc parallel loop collapse(2) async present(dens_int[0:nz + 1], theta_int[0:nz + 1], pressure_int[0:nz + 1], state[0:all], flux[0:faces])
#pragma omp parallel for
    for (int k = 0; k < nz + 1; k++)
        for (int i = 0; i < nx; i++) {
            double stencil[4], vals[VARIABLES], d3[VARIABLES];
            for (int ll = 0; ll < VARIABLES; ll++) {
                for (int s = 0; s < 4; s++)
                    stencil[s] = state[(ll * (nz + 2 * HS) + k + s) * w + i + HS];
                vals[ll] = -stencil[0] / 12 + 7 * stencil[1] / 12 + 7 * stencil[2] / 12 - stencil[3] / 12;
                d3[ll] = -stencil[0] + 3 * stencil[1] - 3 * stencil[2] + stencil[3];
            }
            double r = vals[DENS] + dens_int[k], u = vals[UMOM] / r, v = vals[WMOM] / r, t = (vals[RHOT] + theta_int[k]) / r;
            double p = C0 * pow(r * t, GAMMA) - pressure_int[k];
            if (k == 0 || k == nz) {
                v = 0;
                d3[DENS] = 0;
            }
            int at = k * (nx + 1) + i, plane = (nz + 1) * (nx + 1);
            flux[DENS * plane + at] = r * v - HV * d3[DENS];
            flux[UMOM * plane + at] = r * v * u - HV * d3[UMOM];
            flux[WMOM * plane + at] = r * v * v + p - HV * d3[WMOM];
            flux[RHOT * plane + at] = r * v * t - HV * d3[RHOT];
        }
#pragma acc parallel loop collapse(3) async present(state[0:all], flux[0:faces], out[0:all])
#pragma omp parallel for collapse(2)
    for (int ll = 0; ll < VARIABLES; ll++)
        for (int k = 0; k < nz; k++)
            for (int i = 0; i < nx; i++) {
                int at = (ll * (nz + 2 * HS) + k + HS) * w + i + HS, face = (ll * (nz + 1) + k) * (nx + 1) + i;
                double tendency = -(flux[face + nx + 1] - flux[face]) / DX;
                if (ll == WMOM)
                    tendency -= state[(k + HS) * w + i + HS] * GRAVITY;
                out[at] = state[at] + DT * tendency;
            }
#pragma acc wait
}
#else
struct values { double v[VARIABLES], d3[VARIABLES]; };

// Value and third difference between the two middle ones of four cells.
#define BETWEEN(a, ll, s0, s1, s2, s3)                              \
    (a).v[ll] = (-(s0) + 7 * (s1) + 7 * (s2) - (s3)) / 12;          \
    (a).d3[ll] = -(s0) + 3 * (s1) - 3 * (s2) + (s3)

static void along_x(size_t nx, size_t nz, double *dens, double *theta, double *pstate, double *pflux, double *pout)
{
    double(*state)[nz + 2 * HS][nx + 2 * HS] = (void *)pstate, (*out)[nz + 2 * HS][nx + 2 * HS] = (void *)pout;
    double(*flux)[nz + 1][nx + 1] = (void *)pflux;
#pragma acc data present(dens[0:nz + 2 * HS], theta[0:nz + 2 * HS], state[0:VARIABLES], flux[0:VARIABLES], out[0:VARIABLES])
    {
#pragma acc parallel loop gang vector collapse(2) async(1)
#pragma omp parallel for
        for (size_t ll = 0; ll < VARIABLES; ++ll)
            for (size_t k = HS; k < nz + HS; ++k)
                for (size_t h = 0; h < HS; ++h) {
                    state[ll][k][h] = state[ll][k][nx + h];
                    state[ll][k][nx + HS + h] = state[ll][k][HS + h];
                }
#pragma acc parallel loop gang async(1)
#pragma omp parallel for
        for (size_t k = 0; k < nz; ++k)
#pragma acc loop vector
            for (size_t i = 0; i <= nx; ++i) {
                struct values a;
                for (int ll = 0; ll < VARIABLES; ++ll) {
                    BETWEEN(a, ll, state[ll][k + HS][i], state[ll][k + HS][i + 1], state[ll][k + HS][i + 2], state[ll][k + HS][i + 3]);
                }
                const double r = a.v[DENS] + dens[k + HS], u = a.v[UMOM] / r, w = a.v[WMOM] / r, t = (a.v[RHOT] + theta[k + HS]) / r;
                flux[DENS][k][i] = r * u - HV * a.d3[DENS];
                flux[UMOM][k][i] = r * u * u + C0 * pow(r * t, GAMMA) - HV * a.d3[UMOM];
                flux[WMOM][k][i] = r * u * w - HV * a.d3[WMOM];
                flux[RHOT][k][i] = r * u * t - HV * a.d3[RHOT];
            }
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t ll = 0; ll < VARIABLES; ++ll)
            for (size_t k = 0; k < nz; ++k)
#pragma acc loop vector
                for (size_t i = 0; i < nx; ++i)
                    out[ll][k + HS][i + HS] = state[ll][k + HS][i + HS] + DT * (-(flux[ll][k][i + 1] - flux[ll][k][i]) / DX);
    }
}

static void along_z(size_t nx, size_t nz, double *dens, double *dens_int, double *theta_int, double *pressure_int, double *pstate,
                    double *pflux, double *pout)
{
    double(*state)[nz + 2 * HS][nx + 2 * HS] = (void *)pstate, (*out)[nz + 2 * HS][nx + 2 * HS] = (void *)pout;
    double(*flux)[nz + 1][nx + 1] = (void *)pflux;
#pragma acc data present(dens[0:nz + 2 * HS], dens_int[0:nz + 1], theta_int[0:nz + 1], pressure_int[0:nz + 1]) \
    present(state[0:VARIABLES], flux[0:VARIABLES], out[0:VARIABLES])
    {
#pragma acc parallel loop gang vector async(1)
#pragma omp parallel for
        for (size_t i = HS; i < nx + HS; ++i)
            for (size_t h = 0; h < HS; ++h) {
                state[DENS][h][i] = state[DENS][HS][i];
                state[UMOM][h][i] = state[UMOM][HS][i] / dens[HS] * dens[h];
                state[WMOM][h][i] = state[WMOM][nz + HS + h][i] = 0;
                state[RHOT][h][i] = state[RHOT][HS][i];
                state[DENS][nz + HS + h][i] = state[DENS][nz + HS - 1][i];
                state[UMOM][nz + HS + h][i] = state[UMOM][nz + HS - 1][i] / dens[nz + HS - 1] * dens[nz + HS + h];
                state[RHOT][nz + HS + h][i] = state[RHOT][nz + HS - 1][i];
            }
#pragma acc parallel loop gang async(1)
#pragma omp parallel for
        for (size_t k = 0; k <= nz; ++k)
#pragma acc loop vector
            for (size_t i = 0; i < nx; ++i) {
                struct values a;
                for (int ll = 0; ll < VARIABLES; ++ll) {
                    BETWEEN(a, ll, state[ll][k][i + HS], state[ll][k + 1][i + HS], state[ll][k + 2][i + HS], state[ll][k + 3][i + HS]);
                }
                const int wall = k == 0 || k == nz;
                const double r = a.v[DENS] + dens_int[k], u = a.v[UMOM] / r, w = wall ? 0 : a.v[WMOM] / r, t = (a.v[RHOT] + theta_int[k]) / r;
                flux[DENS][k][i] = r * w - (wall ? 0 : HV * a.d3[DENS]);
                flux[UMOM][k][i] = r * w * u - HV * a.d3[UMOM];
                flux[WMOM][k][i] = r * w * w + C0 * pow(r * t, GAMMA) - pressure_int[k] - HV * a.d3[WMOM];
                flux[RHOT][k][i] = r * w * t - HV * a.d3[RHOT];
            }
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t ll = 0; ll < VARIABLES; ++ll)
            for (size_t k = 0; k < nz; ++k)
#pragma acc loop vector
                for (size_t i = 0; i < nx; ++i) {
                    double tendency = -(flux[ll][k + 1][i] - flux[ll][k][i]) / DX;
                    tendency -= ll == WMOM ? state[DENS][k + HS][i + HS] * GRAVITY : 0;
                    out[ll][k + HS][i + HS] = state[ll][k + HS][i + HS] + DT * tendency;
                }
    }
#pragma acc wait(1)
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = NX >> args.shift / 2, nz = NZ >> (args.shift + 1) / 2, plane = (nz + 2 * HS) * (nx + 2 * HS), all = VARIABLES * plane,
        faces = VARIABLES * (nz + 1) * (nx + 1), levels = nz + 2 * HS;
    double *state = NEW(double, all), *middle = NEW(double, all), *out = NEW(double, all), *flux = NEW(double, faces),
           *dens = NEW(double, levels), *theta = NEW(double, levels), *dens_int = NEW(double, nz + 1), *theta_int = NEW(double, nz + 1),
           *pressure_int = NEW(double, nz + 1), sum = 0;
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
        middle[k] = out[k] = 0;
    }
#pragma acc enter data copyin(state[0:all], middle[0:all], out[0:all], dens[0:levels], theta[0:levels]) \
    copyin(dens_int[0:nz + 1], theta_int[0:nz + 1], pressure_int[0:nz + 1]) create(flux[0:faces])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        along_x(nx, nz, dens, theta, state, flux, middle);
        along_z(nx, nz, dens, dens_int, theta_int, pressure_int, middle, flux, out);
    }
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]);
    report("weather", t.best, sum);
    return 0;
}
