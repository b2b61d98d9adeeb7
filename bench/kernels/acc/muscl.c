// A step of the Euler equations on 1024 x 1024 cells, double: limited slopes, fluxes of Rusanov through the faces, the update of four
// variables and the fastest wave.
#include "../kernels.h"

enum { SIDE = 1024 };
#define GAMMA 1.4
#define STEP 0.1

#if SPELLING == 1
#define AT(a, v, i, j) a[((v) * n + (i)) * n + (j)]

static double minmod(double a, double b) { return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b; }

static double pressure(const double *u) { return (GAMMA - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]); }

// Between the second and the third of four cells; u[1 + axis] is the momentum across the face.
static void face(double u[4][4], int axis, double *f)
{
    double l[4], r[4];
    for (int v = 0; v < 4; v++) {
        l[v] = u[1][v] + 0.5 * minmod(u[1][v] - u[0][v], u[2][v] - u[1][v]);
        r[v] = u[2][v] - 0.5 * minmod(u[2][v] - u[1][v], u[3][v] - u[2][v]);
    }
    double pl = pressure(l), pr = pressure(r), vl = l[1 + axis] / l[0], vr = r[1 + axis] / r[0];
    double s = fmax(fabs(vl) + sqrt(GAMMA * pl / l[0]), fabs(vr) + sqrt(GAMMA * pr / r[0]));
    for (int v = 0; v < 4; v++)
        f[v] = 0.5 * (vl * l[v] + vr * r[v]) - 0.5 * s * (r[v] - l[v]);
    f[1 + axis] += 0.5 * (pl + pr);
    f[3] += 0.5 * (pl * vl + pr * vr);
}

static double advance(int n, const double *restrict u, double *restrict fx, double *restrict fy, double *restrict next)
{
    double fastest = 0;
    int all = 4 * n * n;
#pragma acc parallel loop collapse(2) present(u[0:all], fx[0:all], fy[0:all])
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 2; i++)
        for (int j = 1; j < n - 2; j++) {
            double cells[4][4], f[4];
            for (int k = 0; k < 4; k++)
                for (int v = 0; v < 4; v++)
                    cells[k][v] = AT(u, v, i, j - 1 + k);
            face(cells, 0, f);
            for (int v = 0; v < 4; v++)
                AT(fx, v, i, j) = f[v];
            for (int k = 0; k < 4; k++)
                for (int v = 0; v < 4; v++)
                    cells[k][v] = AT(u, v, i - 1 + k, j);
            face(cells, 1, f);
            for (int v = 0; v < 4; v++)
                AT(fy, v, i, j) = f[v];
        }
#pragma acc parallel loop collapse(2) reduction(max : fastest) present(u[0:all], fx[0:all], fy[0:all], next[0:all])
#pragma omp parallel for collapse(2) reduction(max : fastest)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++) {
            double w[4];
            for (int v = 0; v < 4; v++) {
                w[v] = AT(u, v, i, j) - STEP * (AT(fx, v, i, j) - AT(fx, v, i, j - 1) + AT(fy, v, i, j) - AT(fy, v, i - 1, j));
                AT(next, v, i, j) = w[v];
            }
            fastest = fmax(fastest, sqrt(w[1] * w[1] + w[2] * w[2]) / w[0] + sqrt(GAMMA * pressure(w) / w[0]));
        }
    return fastest;
}
#else
struct fields { double *rho, *mx, *my, *e; };
struct state { double rho, mx, my, e; };

static struct state load(struct fields f, size_t at)
{
    struct state s = {f.rho[at], f.mx[at], f.my[at], f.e[at]};
    return s;
}

static void store(struct fields f, size_t at, const struct state *s)
{
    f.rho[at] = s->rho;
    f.mx[at] = s->mx;
    f.my[at] = s->my;
    f.e[at] = s->e;
}

static double half_slope(double before, double here, double after)
{
    double a = here - before, b = after - here;
    if (a > 0 && b > 0)
        return 0.5 * fmin(a, b);
    if (a < 0 && b < 0)
        return 0.5 * fmax(a, b);
    return 0;
}

static struct state slope(struct state a, struct state b, struct state c)
{
    return (struct state){half_slope(a.rho, b.rho, c.rho), half_slope(a.mx, b.mx, c.mx), half_slope(a.my, b.my, c.my),
                          half_slope(a.e, b.e, c.e)};
}

static double pressure(struct state s) { return (GAMMA - 1) * (s.e - (s.mx * s.mx + s.my * s.my) / (2 * s.rho)); }

static struct state rusanov(struct state a, struct state b, struct state c, struct state d, int vertical)
{
    struct state sl = slope(a, b, c), sr = slope(b, c, d);
    struct state l = {b.rho + sl.rho, b.mx + sl.mx, b.my + sl.my, b.e + sl.e};
    struct state r = {c.rho - sr.rho, c.mx - sr.mx, c.my - sr.my, c.e - sr.e};
    double pl = pressure(l), pr = pressure(r), vl = (vertical ? l.my : l.mx) / l.rho, vr = (vertical ? r.my : r.mx) / r.rho;
    double s = fmax(fabs(vl) + sqrt(GAMMA * pl / l.rho), fabs(vr) + sqrt(GAMMA * pr / r.rho));
    struct state f = {vl * l.rho + vr * r.rho - s * (r.rho - l.rho), vl * l.mx + vr * r.mx - s * (r.mx - l.mx),
                      vl * l.my + vr * r.my - s * (r.my - l.my), vl * (l.e + pl) + vr * (r.e + pr) - s * (r.e - l.e)};
    if (vertical)
        f.my += pl + pr;
    else
        f.mx += pl + pr;
    f.rho /= 2, f.mx /= 2, f.my /= 2, f.e /= 2;
    return f;
}

#define ALL(f) f.rho[0:n * n], f.mx[0:n * n], f.my[0:n * n], f.e[0:n * n]
#define CHANGE(w) (h.w[at] - h.w[at - 1] + v.w[at] - v.w[at - n])

// Both directions at a time on two queues.
static double advance(size_t n, struct fields u, struct fields h, struct fields v, struct fields next)
{
    double speed = 0;
#pragma acc parallel loop gang async(1) present(ALL(u), ALL(h))
#pragma omp parallel for
    for (size_t i = 1; i < n - 2; ++i)
#pragma acc loop vector
        for (size_t at = i * n + 1; at < i * n + n - 2; ++at) {
            struct state f = rusanov(load(u, at - 1), load(u, at), load(u, at + 1), load(u, at + 2), 0);
            store(h, at, &f);
        }
#pragma acc parallel loop gang async(2) present(ALL(u), ALL(v))
#pragma omp parallel for
    for (size_t i = 1; i < n - 2; ++i)
#pragma acc loop vector
        for (size_t at = i * n + 1; at < i * n + n - 2; ++at) {
            struct state f = rusanov(load(u, at - n), load(u, at), load(u, at + n), load(u, at + 2 * n), 1);
            store(v, at, &f);
        }
#pragma acc wait
#pragma acc parallel loop gang reduction(max : speed) present(ALL(u), ALL(h), ALL(v), ALL(next))
#pragma omp parallel for reduction(max : speed)
    for (size_t i = 2; i < n - 2; ++i)
#pragma acc loop vector reduction(max : speed)
        for (size_t j = 2; j < n - 2; ++j) {
            size_t at = i * n + j;
            struct state w = load(u, at);
            w.rho -= STEP * CHANGE(rho);
            w.mx -= STEP * CHANGE(mx);
            w.my -= STEP * CHANGE(my);
            w.e -= STEP * CHANGE(e);
            store(next, at, &w);
            double here = hypot(w.mx, w.my) / w.rho + sqrt(GAMMA * pressure(w) / w.rho);
            if (here > speed)
                speed = here;
        }
    return speed;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, one = n * n, all = 4 * one;
    double *u = NEW(double, all), *fx = NEW(double, all), *fy = NEW(double, all), *next = NEW(double, all), sum = 0, speed = 0;
    FILL(u, all, 0.5);
    for (int k = 0; k < one; k++) {
        u[k] += 1;
        u[3 * one + k] += 2;
        for (int v = 0; v < 4; v++)
            next[v * one + k] = 0;
    }
#if SPELLING == 1
#pragma acc enter data copyin(u[0:all], next[0:all]) create(fx[0:all], fy[0:all])
#else
#define PARTS(a) {a, a + one, a + 2 * one, a + 3 * one}
    struct fields su = PARTS(u), sh = PARTS(fx), sv = PARTS(fy), snext = PARTS(next);
#pragma acc enter data copyin(u[0:all], next[0:all]) create(fx[0:all], fy[0:all])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        speed = advance(n, u, fx, fy, next);
#else
        speed = advance(n, su, sh, sv, snext);
#endif
    }
#pragma acc update self(next[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(next[k]);
    report("muscl", t.best, sum + 1000 * speed);
    return 0;
}
