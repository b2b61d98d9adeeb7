// A step of gas near the speed of light in a plane of 1024 x 1024 cells, double: pressures from what is conserved by Newton's method, limited slopes,
// fluxes through the faces by two waves (HLL) at relativistic speeds, and what they change.
#include "../kernels.h"

enum { SIDE = 1024, EDGE = 2, MOST = 40 };

#define GAMMA (4.0 / 3)
#define STEP 0.1
#define SMALL 1e-10

// What is conserved: mass d, momenta sx and sy, energy without mass tau. What it is made of: density, velocities, pressure.
#if SPELLING == 1
static inline double slope(double l, double c, double r)
{
    double a = c - l, b = r - c;
    return a * b > 0 ? 2 * a * b / (a + b) : 0;
}

// The flux of four variables through a face along the direction of the velocity v between the states l and r; u is the other velocity.
static inline void hll(double rl, double vl, double ul, double pl, double rr, double vr, double ur, double pr, double *f)
{
    double wl = 1 / sqrt(1 - vl * vl - ul * ul), wr = 1 / sqrt(1 - vr * vr - ur * ur);
    double hl = rl + GAMMA / (GAMMA - 1) * pl, hr = rr + GAMMA / (GAMMA - 1) * pr, al = GAMMA * pl / hl, ar = GAMMA * pr / hr;
    // Speeds of the waves of both states.
    double v2l = vl * vl + ul * ul, v2r = vr * vr + ur * ur;
    double sl = sqrt(al * (1 - v2l) * (1 - v2l * al - vl * vl * (1 - al))), sr = sqrt(ar * (1 - v2r) * (1 - v2r * ar - vr * vr * (1 - ar)));
    double low = fmin((vl * (1 - al) - sl) / (1 - v2l * al), (vr * (1 - ar) - sr) / (1 - v2r * ar));
    double high = fmax((vl * (1 - al) + sl) / (1 - v2l * al), (vr * (1 - ar) + sr) / (1 - v2r * ar));
    double dl = rl * wl, dr = rr * wr, ml = hl * wl * wl, mr = hr * wr * wr;
    double ql[4] = {dl, ml * vl, ml * ul, ml - pl - dl}, qr[4] = {dr, mr * vr, mr * ur, mr - pr - dr};
    double fl[4] = {dl * vl, ml * vl * vl + pl, ml * ul * vl, (ml - dl) * vl}, fr[4] = {dr * vr, mr * vr * vr + pr, mr * ur * vr, (mr - dr) * vr};
    low = fmin(low, 0);
    high = fmax(high, 0);
    for (int k = 0; k < 4; k++)
        f[k] = (high * fl[k] - low * fr[k] + high * low * (qr[k] - ql[k])) / (high - low);
}

static void step(int w, const double *restrict d, const double *restrict sx, const double *restrict sy, const double *restrict tau,
                 double *restrict rho, double *restrict vx, double *restrict vy, double *restrict p, double *restrict fx, double *restrict fy,
                 double *restrict dnew, double *restrict sxnew, double *restrict synew, double *restrict taunew)
{
    const int n = w * w;
#pragma acc data present(d[0:n], sx[0:n], sy[0:n], tau[0:n], rho[0:n], vx[0:n], vy[0:n], p[0:n], fx[0:4 * n], fy[0:4 * n], dnew[0:n],             \
                             sxnew[0:n], synew[0:n], taunew[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int c = 0; c < n; c++) {
            double s2 = sx[c] * sx[c] + sy[c] * sy[c], e = tau[c] + d[c], pressure = fmax(1, 1.01 * sqrt(s2) - e), q = 1, lorentz = 1, density = 1;
            for (int k = 0; k < MOST; k++) {
                q = e + pressure;
                double v2 = s2 / (q * q);
                lorentz = 1 / sqrt(1 - v2);
                density = d[c] / lorentz;
                double energy = (tau[c] + d[c] * (1 - lorentz) + pressure * (1 - lorentz * lorentz)) / (d[c] * lorentz);
                double wanted = (GAMMA - 1) * density * energy, sound2 = GAMMA * (GAMMA - 1) * energy / (1 + GAMMA * energy);
                double change = (wanted - pressure) / (v2 * sound2 - 1);
                pressure -= change;
                if (fabs(change) < SMALL * pressure)
                    break;
            }
            q = e + pressure;
            rho[c] = d[c] * sqrt(1 - s2 / (q * q));
            vx[c] = sx[c] / q;
            vy[c] = sy[c] / q;
            p[c] = pressure;
        }
        // The face before each cell, to the left of it and above.
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = EDGE; y <= w - EDGE; y++)
            for (int x = EDGE; x <= w - EDGE; x++) {
                int c = y * w + x;
                double f[4];
                if (y < w - EDGE) {
                    int a = c - 1;
                    hll(rho[a] + 0.5 * slope(rho[a - 1], rho[a], rho[c]), vx[a] + 0.5 * slope(vx[a - 1], vx[a], vx[c]),
                        vy[a] + 0.5 * slope(vy[a - 1], vy[a], vy[c]), p[a] + 0.5 * slope(p[a - 1], p[a], p[c]),
                        rho[c] - 0.5 * slope(rho[a], rho[c], rho[c + 1]), vx[c] - 0.5 * slope(vx[a], vx[c], vx[c + 1]),
                        vy[c] - 0.5 * slope(vy[a], vy[c], vy[c + 1]), p[c] - 0.5 * slope(p[a], p[c], p[c + 1]), f);
                    for (int k = 0; k < 4; k++)
                        fx[k * n + c] = f[k];
                }
                if (x < w - EDGE) {
                    int a = c - w;
                    hll(rho[a] + 0.5 * slope(rho[a - w], rho[a], rho[c]), vy[a] + 0.5 * slope(vy[a - w], vy[a], vy[c]),
                        vx[a] + 0.5 * slope(vx[a - w], vx[a], vx[c]), p[a] + 0.5 * slope(p[a - w], p[a], p[c]),
                        rho[c] - 0.5 * slope(rho[a], rho[c], rho[c + w]), vy[c] - 0.5 * slope(vy[a], vy[c], vy[c + w]),
                        vx[c] - 0.5 * slope(vx[a], vx[c], vx[c + w]), p[c] - 0.5 * slope(p[a], p[c], p[c + w]), f);
                    fy[c] = f[0];
                    fy[n + c] = f[2];
                    fy[2 * n + c] = f[1];
                    fy[3 * n + c] = f[3];
                }
            }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = EDGE; y < w - EDGE; y++)
            for (int x = EDGE; x < w - EDGE; x++) {
                int c = y * w + x;
                dnew[c] = d[c] - STEP * (fx[c + 1] - fx[c] + fy[c + w] - fy[c]);
                sxnew[c] = sx[c] - STEP * (fx[n + c + 1] - fx[n + c] + fy[n + c + w] - fy[n + c]);
                synew[c] = sy[c] - STEP * (fx[2 * n + c + 1] - fx[2 * n + c] + fy[2 * n + c + w] - fy[2 * n + c]);
                taunew[c] = tau[c] - STEP * (fx[3 * n + c + 1] - fx[3 * n + c] + fy[3 * n + c + w] - fy[3 * n + c]);
            }
    }
}
#else
typedef struct { double d, s[2], tau; } conserved;
typedef struct { double rho, v[2], p; } primitive;

#define SQUARE(x) ((x) * (x))
#define VAN_LEER(l, c, r) (((c) - (l)) * ((r) - (c)) > 0.0 ? 2.0 * ((c) - (l)) * ((r) - (c)) / ((r) - (l)) : 0.0)

#pragma acc routine seq
static primitive recovered(const conserved *u)
{
    const double s2 = SQUARE(u->s[0]) + SQUARE(u->s[1]), e = u->tau + u->d;
    double p = fmax(1.0, 1.01 * sqrt(s2) - e), change = p;
    for (unsigned k = 0; k < MOST && fabs(change) >= SMALL * p; ++k) {
        const double v2 = s2 / SQUARE(e + p), lorentz = 1.0 / sqrt(1.0 - v2);
        const double energy = (u->tau + u->d * (1.0 - lorentz) + p * (1.0 - SQUARE(lorentz))) / (u->d * lorentz);
        const double sound2 = GAMMA * (GAMMA - 1.0) * energy / (1.0 + GAMMA * energy);
        change = ((GAMMA - 1.0) * u->d / lorentz * energy - p) / (v2 * sound2 - 1.0);
        p -= change;
    }
    const primitive w = {u->d * sqrt(1.0 - s2 / SQUARE(e + p)), {u->s[0] / (e + p), u->s[1] / (e + p)}, p};
    return w;
}

// A state at a face of its cell: before it where side is -1, behind it where it is 1.
#pragma acc routine seq
static primitive at_face(const primitive *l, const primitive *c, const primitive *r, double side)
{
    primitive w;
    w.rho = c->rho + 0.5 * side * VAN_LEER(l->rho, c->rho, r->rho);
    for (int k = 0; k < 2; ++k)
        w.v[k] = c->v[k] + 0.5 * side * VAN_LEER(l->v[k], c->v[k], r->v[k]);
    w.p = c->p + 0.5 * side * VAN_LEER(l->p, c->p, r->p);
    return w;
}

#pragma acc routine seq
static void of_state(const primitive *w, int way, conserved *u, conserved *f, double *low, double *high)
{
    const double v = w->v[way], v2 = SQUARE(w->v[0]) + SQUARE(w->v[1]), lorentz2 = 1.0 / (1.0 - v2);
    const double enthalpy = w->rho + GAMMA / (GAMMA - 1.0) * w->p, a = GAMMA * w->p / enthalpy, m = enthalpy * lorentz2;
    const double root = sqrt(a * (1.0 - v2) * (1.0 - v2 * a - SQUARE(v) * (1.0 - a)));
    *low = fmin(*low, (v * (1.0 - a) - root) / (1.0 - v2 * a));
    *high = fmax(*high, (v * (1.0 - a) + root) / (1.0 - v2 * a));
    u->d = w->rho * sqrt(lorentz2);
    u->tau = m - w->p - u->d;
    f->d = u->d * v;
    f->tau = (m - u->d) * v;
    for (int k = 0; k < 2; ++k) {
        u->s[k] = m * w->v[k];
        f->s[k] = u->s[k] * v + (k == way ? w->p : 0.0);
    }
}

#pragma acc routine seq
static conserved flux(const primitive *w, size_t stride, int way)
{
    const primitive l = at_face(w - 2 * stride, w - stride, w, 1.0), r = at_face(w - stride, w, w + stride, -1.0);
    conserved ul, ur, fl, fr, f;
    double low = 0.0, high = 0.0;
    of_state(&l, way, &ul, &fl, &low, &high);
    of_state(&r, way, &ur, &fr, &low, &high);
#define HLL(x) f.x = (high * fl.x - low * fr.x + high * low * (ur.x - ul.x)) / (high - low)
    HLL(d);
    HLL(s[0]);
    HLL(s[1]);
    HLL(tau);
    return f;
}

static void step(size_t w, const conserved *u, primitive *prim, conserved *next)
{
#pragma acc data present(u[0:w * w], prim[0:w * w], next[0:w * w])
    {
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (size_t c = 0; c < w * w; ++c)
            prim[c] = recovered(&u[c]);
#pragma acc parallel loop gang vector collapse(2)
#pragma omp parallel for
        for (size_t y = EDGE; y < w - EDGE; ++y)
            for (size_t x = EDGE; x < w - EDGE; ++x) {
                const size_t c = y * w + x;
                const conserved left = flux(&prim[c], 1, 0), right = flux(&prim[c + 1], 1, 0);
                const conserved above = flux(&prim[c], w, 1), below = flux(&prim[c + w], w, 1);
                next[c].d = u[c].d - STEP * (right.d - left.d + below.d - above.d);
                for (int k = 0; k < 2; ++k)
                    next[c].s[k] = u[c].s[k] - STEP * (right.s[k] - left.s[k] + below.s[k] - above.s[k]);
                next[c].tau = u[c].tau - STEP * (right.tau - left.tau + below.tau - above.tau);
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = (SIDE >> (args.shift + 1) / 2) + 2 * EDGE, n = w * w;
    double *d = NEW(double, n), *sx = NEW(double, n), *sy = NEW(double, n), *tau = NEW(double, n);
    double *dnew = NEW(double, n), *sxnew = NEW(double, n), *synew = NEW(double, n), *taunew = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++) {
        double rho = 1 + number(i / 3), p = 0.5 + 2 * number(i / 5 + 1), vx = 1.3 * number(i / 4 + 2) - 0.65, vy = 1.3 * number(i / 4 + 3) - 0.65;
        double lorentz = 1 / sqrt(1 - vx * vx - vy * vy), m = (rho + GAMMA / (GAMMA - 1) * p) * lorentz * lorentz;
        d[i] = rho * lorentz;
        sx[i] = m * vx;
        sy[i] = m * vy;
        tau[i] = m - p - d[i];
        dnew[i] = sxnew[i] = synew[i] = taunew[i] = 0;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *rho = NEW(double, n), *vx = NEW(double, n), *vy = NEW(double, n), *p = NEW(double, n), *fx = NEW(double, 4 * n), *fy = NEW(double, 4 * n);
#pragma acc enter data copyin(d[0:n], sx[0:n], sy[0:n], tau[0:n], dnew[0:n], sxnew[0:n], synew[0:n], taunew[0:n])                                 \
    create(rho[0:n], vx[0:n], vy[0:n], p[0:n], fx[0:4 * n], fy[0:4 * n])
    while (lap(&t))
        step(w, d, sx, sy, tau, rho, vx, vy, p, fx, fy, dnew, sxnew, synew, taunew);
#pragma acc update self(dnew[0:n], sxnew[0:n], synew[0:n], taunew[0:n])
#else
    conserved *u = NEW(conserved, n), *next = NEW(conserved, n);
    primitive *prim = NEW(primitive, n);
    for (int i = 0; i < n; i++) {
        u[i] = (conserved){d[i], {sx[i], sy[i]}, tau[i]};
        next[i] = (conserved){0, {0, 0}, 0};
    }
#pragma acc enter data copyin(u[0:n], next[0:n]) create(prim[0:n])
    while (lap(&t))
        step(w, u, prim, next);
#pragma acc update self(next[0:n])
    for (int i = 0; i < n; i++) {
        dnew[i] = next[i].d;
        sxnew[i] = next[i].s[0];
        synew[i] = next[i].s[1];
        taunew[i] = next[i].tau;
    }
#endif
    for (int i = 0; i < n; i++)
        sum += fabs(dnew[i]) + fabs(sxnew[i]) + 2 * fabs(synew[i]) + fabs(taunew[i]);
    report("relativity", t.best, sum);
    return 0;
}
