// Three steps of a large-eddy simulation on 128^3 periodic cells, double: the viscosity of Smagorinsky's model from the nine
// slopes of the velocity, then advection and what that viscosity does, and the energy after each step.
#include "../kernels.h"

enum { SIDE = 128, STEPS = 3 };

#define DT 0.002
#define CS2 (0.17 * 0.17)
#define NU 1e-3

#if SPELLING == 1
static void step(int depth, const double *restrict u, const double *restrict v, const double *restrict w,
                 double *restrict nut, double *restrict un, double *restrict vn, double *restrict wn, double *restrict energy)
{
    const double h = 1.0 / SIDE, half = 0.5 / h;
    const int n = depth * SIDE * SIDE;
    double sum = 0;
#pragma acc parallel loop collapse(3) present(u[0:n], v[0:n], w[0:n], nut[0:n])
#pragma omp parallel for collapse(2)
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                int c = (k * SIDE + j) * SIDE + i;
                int e = (k * SIDE + j) * SIDE + (i + 1) % SIDE, o = (k * SIDE + j) * SIDE + (i + SIDE - 1) % SIDE;
                int t = (k * SIDE + (j + 1) % SIDE) * SIDE + i, b = (k * SIDE + (j + SIDE - 1) % SIDE) * SIDE + i;
                int f = ((k + 1) % depth * SIDE + j) * SIDE + i, r = ((k + depth - 1) % depth * SIDE + j) * SIDE + i;
                double ux = (u[e] - u[o]) * half, uy = (u[t] - u[b]) * half, uz = (u[f] - u[r]) * half;
                double vx = (v[e] - v[o]) * half, vy = (v[t] - v[b]) * half, vz = (v[f] - v[r]) * half;
                double wx = (w[e] - w[o]) * half, wy = (w[t] - w[b]) * half, wz = (w[f] - w[r]) * half;
                double s = 2 * (ux * ux + vy * vy + wz * wz) + (uy + vx) * (uy + vx) + (uz + wx) * (uz + wx) +
                           (vz + wy) * (vz + wy);
                nut[c] = NU + CS2 * h * h * sqrt(s);
            }
#pragma acc parallel loop collapse(3) present(u[0:n], v[0:n], w[0:n], nut[0:n], un[0:n], vn[0:n], wn[0:n]) \
    reduction(+ : sum)
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                int c = (k * SIDE + j) * SIDE + i;
                int e = (k * SIDE + j) * SIDE + (i + 1) % SIDE, o = (k * SIDE + j) * SIDE + (i + SIDE - 1) % SIDE;
                int t = (k * SIDE + (j + 1) % SIDE) * SIDE + i, b = (k * SIDE + (j + SIDE - 1) % SIDE) * SIDE + i;
                int f = ((k + 1) % depth * SIDE + j) * SIDE + i, r = ((k + depth - 1) % depth * SIDE + j) * SIDE + i;
                double ne = 0.5 * (nut[e] + nut[c]), no = 0.5 * (nut[o] + nut[c]), nt = 0.5 * (nut[t] + nut[c]);
                double nb = 0.5 * (nut[b] + nut[c]), nf = 0.5 * (nut[f] + nut[c]), nr = 0.5 * (nut[r] + nut[c]);
                double du = (ne * (u[e] - u[c]) - no * (u[c] - u[o]) + nt * (u[t] - u[c]) - nb * (u[c] - u[b]) +
                             nf * (u[f] - u[c]) - nr * (u[c] - u[r])) / (h * h);
                double dv = (ne * (v[e] - v[c]) - no * (v[c] - v[o]) + nt * (v[t] - v[c]) - nb * (v[c] - v[b]) +
                             nf * (v[f] - v[c]) - nr * (v[c] - v[r])) / (h * h);
                double dw = (ne * (w[e] - w[c]) - no * (w[c] - w[o]) + nt * (w[t] - w[c]) - nb * (w[c] - w[b]) +
                             nf * (w[f] - w[c]) - nr * (w[c] - w[r])) / (h * h);
                du -= (u[c] * (u[e] - u[o]) + v[c] * (u[t] - u[b]) + w[c] * (u[f] - u[r])) * half;
                dv -= (u[c] * (v[e] - v[o]) + v[c] * (v[t] - v[b]) + w[c] * (v[f] - v[r])) * half;
                dw -= (u[c] * (w[e] - w[o]) + v[c] * (w[t] - w[b]) + w[c] * (w[f] - w[r])) * half;
                un[c] = u[c] + DT * du;
                vn[c] = v[c] + DT * dv;
                wn[c] = w[c] + DT * dw;
                sum += 0.5 * (un[c] * un[c] + vn[c] * vn[c] + wn[c] * wn[c]);
            }
    *energy = sum / n;
}

static void simulate(int depth, double *restrict u, double *restrict v, double *restrict w, double *restrict nut,
                     double *restrict un, double *restrict vn, double *restrict wn, const double *restrict u0,
                     const double *restrict v0, const double *restrict w0, double *restrict energy)
{
    step(depth, u0, v0, w0, nut, un, vn, wn, &energy[0]);
    step(depth, un, vn, wn, nut, u, v, w, &energy[1]);
    step(depth, u, v, w, nut, un, vn, wn, &energy[2]);
}
#else
typedef double field[SIDE][SIDE];

#define UP(i, n) ((i) + 1 == (n) ? 0 : (i) + 1)
#define DOWN(i, n) ((i) == 0 ? (n) - 1 : (i) - 1)
#define SLOPE(a, b) (((a) - (b)) * (SIDE / 2))
#define SPREAD(g)                                                                                         \
    (((nu[k][j][e] + here) * (g[k][j][e] - g[k][j][i]) + (nu[k][j][o] + here) * (g[k][j][o] - g[k][j][i]) +     \
      (nu[k][t][i] + here) * (g[k][t][i] - g[k][j][i]) + (nu[k][b][i] + here) * (g[k][b][i] - g[k][j][i]) +     \
      (nu[f][j][i] + here) * (g[f][j][i] - g[k][j][i]) + (nu[r][j][i] + here) * (g[r][j][i] - g[k][j][i])) *    \
     (0.5 * SIDE * SIDE))
#define CARRY(g)                                                                                          \
    (x * SLOPE(g[k][j][e], g[k][j][o]) + y * SLOPE(g[k][t][i], g[k][b][i]) + z * SLOPE(g[f][j][i], g[r][j][i]))

static void simulate(size_t depth, field *u[3], field *v[3], field *w[3], field *nu, double *energy)
{
    for (unsigned now = 0; now < STEPS; ++now) {
        // the first fields stay for the next lap
        const unsigned from = now ? 1 + (now + 1) % 2 : 0, to = 1 + now % 2;
        field *uo = u[from], *vo = v[from], *wo = w[from], *un = u[to], *vn = v[to], *wn = w[to];
#pragma acc parallel loop gang collapse(2) present(uo[0:depth], vo[0:depth], wo[0:depth], nu[0:depth]) async
#pragma omp parallel for collapse(2)
        for (size_t k = 0; k < depth; ++k)
            for (size_t j = 0; j < SIDE; ++j) {
                const size_t t = UP(j, SIDE), b = DOWN(j, SIDE), f = UP(k, depth), r = DOWN(k, depth);
#pragma acc loop vector
                for (size_t i = 0; i < SIDE; ++i) {
                    const size_t e = UP(i, SIDE), o = DOWN(i, SIDE);
                    double g[3][3] = {{SLOPE(uo[k][j][e], uo[k][j][o]), SLOPE(uo[k][t][i], uo[k][b][i]), SLOPE(uo[f][j][i], uo[r][j][i])},
                                      {SLOPE(vo[k][j][e], vo[k][j][o]), SLOPE(vo[k][t][i], vo[k][b][i]), SLOPE(vo[f][j][i], vo[r][j][i])},
                                      {SLOPE(wo[k][j][e], wo[k][j][o]), SLOPE(wo[k][t][i], wo[k][b][i]), SLOPE(wo[f][j][i], wo[r][j][i])}};
                    double s = 0;
                    for (int p = 0; p < 3; ++p)
                        for (int q = 0; q < 3; ++q)
                            s += 0.5 * (g[p][q] + g[q][p]) * (g[p][q] + g[q][p]);
                    nu[k][j][i] = NU + CS2 / (SIDE * SIDE) * sqrt(s);
                }
            }
        double sum = 0;
#pragma acc parallel loop gang collapse(2) reduction(+ : sum) present(uo[0:depth], vo[0:depth], wo[0:depth]) \
    present(nu[0:depth], un[0:depth], vn[0:depth], wn[0:depth]) async copy(sum)
#pragma omp parallel for collapse(2) reduction(+ : sum)
        for (size_t k = 0; k < depth; ++k)
            for (size_t j = 0; j < SIDE; ++j) {
                const size_t t = UP(j, SIDE), b = DOWN(j, SIDE), f = UP(k, depth), r = DOWN(k, depth);
#pragma acc loop vector reduction(+ : sum)
                for (size_t i = 0; i < SIDE; ++i) {
                    const size_t e = UP(i, SIDE), o = DOWN(i, SIDE);
                    const double x = uo[k][j][i], y = vo[k][j][i], z = wo[k][j][i], here = nu[k][j][i];
                    double q[3] = {x, y, z};
                    q[0] += DT * (SPREAD(uo) - CARRY(uo));
                    q[1] += DT * (SPREAD(vo) - CARRY(vo));
                    q[2] += DT * (SPREAD(wo) - CARRY(wo));
                    un[k][j][i] = q[0];
                    vn[k][j][i] = q[1];
                    wn[k][j][i] = q[2];
                    for (int d = 0; d < 3; ++d)
                        sum += q[d] * q[d];
                }
            }
#pragma acc wait
        energy[now] = sum / (2.0 * depth * SIDE * SIDE);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE;
    double *u[3], *v[3], *w[3], *nu = NEW(double, n), energy[STEPS], sum = 0;
    for (int f = 0; f < 3; f++) {
        u[f] = NEW(double, n);
        v[f] = NEW(double, n);
        w[f] = NEW(double, n);
    }
    for (int c = 0; c < n; c++) {
        double a = 2 * M_PI / SIDE, x = a * (c % SIDE), y = a * (c / SIDE % SIDE), z = 2 * M_PI * (c / SIDE / SIDE) / depth;
        u[0][c] = sin(x) * cos(y) * cos(z) + 0.05 * number(3 * c);
        v[0][c] = -cos(x) * sin(y) * cos(z) + 0.05 * number(3 * c + 1);
        w[0][c] = 0.1 * sin(2 * x + y) + 0.05 * number(3 * c + 2);
    }
    for (int f = 0; f < 3; f++) {
        double *a = u[f], *b = v[f], *c = w[f];
#pragma acc enter data copyin(a[0:n], b[0:n], c[0:n])
    }
#pragma acc enter data create(nu[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        simulate(depth, u[2], v[2], w[2], nu, u[1], v[1], w[1], u[0], v[0], w[0], energy);
#else
        simulate(depth, (field **)u, (field **)v, (field **)w, (field *)nu, energy);
#endif
    double *un = u[1], *vn = v[1], *wn = w[1];
#pragma acc update self(un[0:n], vn[0:n], wn[0:n])
    for (int c = 0; c < n; c++)
        sum += fabs(un[c]) + 2 * fabs(vn[c]) + 3 * fabs(wn[c]);
    for (int s = 0; s < STEPS; s++)
        sum += energy[s] * 100;
    report("eddies", t.best, sum);
    return 0;
}
