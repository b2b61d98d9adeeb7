// Residuals of the Euler equations on an unstructured mesh of 2^19 triangles, double: gradients by least squares of
// four variables, limited as Barth and Jespersen do, then fluxes of HLLC through the three faces of each triangle.
#include "../kernels.h"

enum { SQUARES = 512, FACES = 3, VARIABLES = 4 };

#define GAMMA 1.4

static double place(int squares, int x, int y, int axis)
{
    int inside = x > 0 && x < squares && y > 0 && y < squares;
    return ((axis ? y : x) + inside * 0.5 * (number(2 * (y * (squares + 1) + x) + axis) - 0.5)) / squares;
}

// Each square of a grid whose points are shifted a little is cut into two triangles; a neighbour below zero is a wall.
static void mesh(int squares, int *next, double *nx, double *ny, double *mx, double *my, double *cx, double *cy,
                 double *w)
{
    static const int dx[2][3] = {{0, 1, 0}, {1, 0, 1}}, dy[2][3] = {{0, 0, 1}, {1, 1, 0}};
    static const int over[2][3] = {{0, 0, -1}, {0, 0, 1}}, up[2][3] = {{-1, 0, 0}, {1, 0, 0}};
    int n = 2 * squares * squares;
    for (int c = 0; c < n; c++) {
        int x = c / 2 % squares, y = c / 2 / squares, half = c % 2;
        double px[3], py[3];
        for (int k = 0; k < 3; k++) {
            px[k] = place(squares, x + dx[half][k], y + dy[half][k], 0);
            py[k] = place(squares, x + dx[half][k], y + dy[half][k], 1);
        }
        cx[c] = (px[0] + px[1] + px[2]) / 3;
        cy[c] = (py[0] + py[1] + py[2]) / 3;
        for (int f = 0; f < 3; f++) {
            int ox = x + over[half][f], oy = y + up[half][f], e = (f + 1) % 3;
            next[f * n + c] =
                ox < 0 || ox >= squares || oy < 0 || oy >= squares ? -1 : 2 * (oy * squares + ox) + 1 - half;
            nx[f * n + c] = py[e] - py[f];
            ny[f * n + c] = px[f] - px[e];
            mx[f * n + c] = (px[e] + px[f]) / 2;
            my[f * n + c] = (py[e] + py[f]) / 2;
        }
        int inside = (cx[c] - 0.4) * (cx[c] - 0.4) + (cy[c] - 0.5) * (cy[c] - 0.5) < 0.04;
        w[c] = (inside ? 2 : 1) + 0.1 * number(3 * c);
        w[n + c] = 0.3 + 0.2 * sin(6 * cy[c]);
        w[2 * n + c] = 0.1 * number(3 * c + 1) - 0.4 * cx[c];
        w[3 * n + c] = (inside ? 10 : 1) + 0.1 * number(3 * c + 2);
    }
}

#if SPELLING == 1
static inline void hllc(const double l[VARIABLES], const double r[VARIABLES], double nx, double ny, double f[VARIABLES])
{
    double ul = l[1] * nx + l[2] * ny, ur = r[1] * nx + r[2] * ny;
    double cl = sqrt(GAMMA * l[3] / l[0]), cr = sqrt(GAMMA * r[3] / r[0]);
    double el = l[3] / (GAMMA - 1) + 0.5 * l[0] * (l[1] * l[1] + l[2] * l[2]);
    double er = r[3] / (GAMMA - 1) + 0.5 * r[0] * (r[1] * r[1] + r[2] * r[2]);
    double sl = fmin(ul - cl, ur - cr), sr = fmax(ul + cl, ur + cr);
    double ml = l[0] * (sl - ul), mr = r[0] * (sr - ur), star = (r[3] - l[3] + ml * ul - mr * ur) / (ml - mr);
    int left = star >= 0;
    double s = left ? sl : sr, un = left ? ul : ur, e = left ? el : er, m = left ? ml : mr;
    double w[VARIABLES];
    for (int v = 0; v < VARIABLES; v++)
        w[v] = left ? l[v] : r[v];
    f[0] = w[0] * un;
    f[1] = w[0] * w[1] * un + w[3] * nx;
    f[2] = w[0] * w[2] * un + w[3] * ny;
    f[3] = (e + w[3]) * un;
    if (sl < 0 && sr > 0) {
        double k = m / (s - star);
        f[0] += s * (k - w[0]);
        f[1] += s * (k * (w[1] + (star - un) * nx) - w[0] * w[1]);
        f[2] += s * (k * (w[2] + (star - un) * ny) - w[0] * w[2]);
        f[3] += s * (k * (e / w[0] + (star - un) * (star + w[3] / m)) - e);
    }
}

static void residuals(int n, const int *restrict next, const double *restrict nx, const double *restrict ny,
                      const double *restrict mx, const double *restrict my, const double *restrict cx,
                      const double *restrict cy, const double *restrict w, double *restrict gx, double *restrict gy,
                      double *restrict residual)
{
#pragma acc parallel loop present(next[0:3 * n], mx[0:3 * n], my[0:3 * n], cx[0:n], cy[0:n]) \
    present(w[0:4 * n], gx[0:4 * n], gy[0:4 * n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double a = 0, b = 0, d = 0, sx[VARIABLES], sy[VARIABLES], least[VARIABLES], most[VARIABLES];
        for (int v = 0; v < VARIABLES; v++) {
            sx[v] = sy[v] = 0;
            least[v] = most[v] = w[v * n + c];
        }
        for (int f = 0; f < FACES; f++) {
            int o = next[f * n + c];
            double dx = o < 0 ? 2 * (mx[f * n + c] - cx[c]) : cx[o] - cx[c];
            double dy = o < 0 ? 2 * (my[f * n + c] - cy[c]) : cy[o] - cy[c];
            a += dx * dx;
            b += dx * dy;
            d += dy * dy;
            if (o < 0)
                continue;
            for (int v = 0; v < VARIABLES; v++) {
                double there = w[v * n + o], change = there - w[v * n + c];
                sx[v] += dx * change;
                sy[v] += dy * change;
                least[v] = fmin(least[v], there);
                most[v] = fmax(most[v], there);
            }
        }
        for (int v = 0; v < VARIABLES; v++) {
            double here = w[v * n + c], x = (d * sx[v] - b * sy[v]) / (a * d - b * b), limit = 1;
            double y = (a * sy[v] - b * sx[v]) / (a * d - b * b);
            for (int f = 0; f < FACES; f++) {
                double step = x * (mx[f * n + c] - cx[c]) + y * (my[f * n + c] - cy[c]);
                if (step > 1e-14)
                    limit = fmin(limit, (most[v] - here) / step);
                else if (step < -1e-14)
                    limit = fmin(limit, (least[v] - here) / step);
            }
            gx[v * n + c] = limit * x;
            gy[v * n + c] = limit * y;
        }
    }
#pragma acc parallel loop present(next[0:3 * n], nx[0:3 * n], ny[0:3 * n], mx[0:3 * n], my[0:3 * n], cx[0:n], cy[0:n]) \
    present(w[0:4 * n], gx[0:4 * n], gy[0:4 * n], residual[0:4 * n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double total[VARIABLES] = {0, 0, 0, 0};
        for (int f = 0; f < FACES; f++) {
            int o = next[f * n + c];
            double x = mx[f * n + c], y = my[f * n + c],
                   length = sqrt(nx[f * n + c] * nx[f * n + c] + ny[f * n + c] * ny[f * n + c]);
            double ex = nx[f * n + c] / length, ey = ny[f * n + c] / length, l[VARIABLES], r[VARIABLES],
                   flux[VARIABLES];
            for (int v = 0; v < VARIABLES; v++) {
                l[v] = w[v * n + c] + gx[v * n + c] * (x - cx[c]) + gy[v * n + c] * (y - cy[c]);
                r[v] = o < 0 ? l[v] : w[v * n + o] + gx[v * n + o] * (x - cx[o]) + gy[v * n + o] * (y - cy[o]);
            }
            if (o < 0) {
                double through = l[1] * ex + l[2] * ey;
                r[1] -= 2 * through * ex;
                r[2] -= 2 * through * ey;
            }
            hllc(l, r, ex, ey, flux);
            for (int v = 0; v < VARIABLES; v++)
                total[v] += length * flux[v];
        }
        for (int v = 0; v < VARIABLES; v++)
            residual[v * n + c] = total[v];
    }
}
#else
typedef struct { double rho, u, v, p; } state;

#define AT(f, c) ((f) * n + (c))

static inline state load(const double *w, size_t n, size_t c)
{
    state s = {w[c], w[n + c], w[2 * n + c], w[3 * n + c]};
    return s;
}

static inline state reconstructed(const double *w, const double *gx, const double *gy, size_t n, size_t c, double dx,
                                  double dy)
{
    state s = load(w, n, c), x = load(gx, n, c), y = load(gy, n, c);
    s.rho += x.rho * dx + y.rho * dy;
    s.u += x.u * dx + y.u * dy;
    s.v += x.v * dx + y.v * dy;
    s.p += x.p * dx + y.p * dy;
    return s;
}

static inline double energy(state s) { return s.p / (GAMMA - 1) + 0.5 * s.rho * (s.u * s.u + s.v * s.v); }

// The flux from the state on one side of the contact; `ahead` is that side's fastest wave, `star` the speed of the
// contact.
static inline state flux_of(state s, double ahead, double star, int between, double nx, double ny)
{
    double un = s.u * nx + s.v * ny, e = energy(s);
    state f = {s.rho * un, s.rho * s.u * un + s.p * nx, s.rho * s.v * un + s.p * ny, (e + s.p) * un};
    if (between) {
        double m = s.rho * (ahead - un), k = m / (ahead - star);
        f.rho += ahead * (k - s.rho);
        f.u += ahead * (k * (s.u + (star - un) * nx) - s.rho * s.u);
        f.v += ahead * (k * (s.v + (star - un) * ny) - s.rho * s.v);
        f.p += ahead * (k * (e / s.rho + (star - un) * (star + s.p / m)) - e);
    }
    return f;
}

static state hllc(state l, state r, double nx, double ny)
{
    double ul = l.u * nx + l.v * ny, ur = r.u * nx + r.v * ny;
    double cl = sqrt(GAMMA * l.p / l.rho), cr = sqrt(GAMMA * r.p / r.rho);
    double sl = ul - cl < ur - cr ? ul - cl : ur - cr, sr = ul + cl > ur + cr ? ul + cl : ur + cr;
    double ml = l.rho * (sl - ul), mr = r.rho * (sr - ur), star = (r.p - l.p + ml * ul - mr * ur) / (ml - mr);
    int between = sl < 0 && sr > 0;
    if (star >= 0)
        return flux_of(l, sl, star, between, nx, ny);
    return flux_of(r, sr, star, between, nx, ny);
}

static void residuals(size_t n, int *next, double *nx, double *ny, double *mx, double *my, double *cx, double *cy,
                      double *w, double *gx, double *gy, double *residual)
{
#pragma acc data present(next[0:3 * n], nx[0:3 * n], ny[0:3 * n], mx[0:3 * n], my[0:3 * n], cx[0:n], cy[0:n]) \
    present(w[0:4 * n], gx[0:4 * n], gy[0:4 * n], residual[0:4 * n])
    {
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c) {
            double dx[FACES], dy[FACES], ox[FACES], oy[FACES], a = 0, b = 0, d = 0;
            for (size_t f = 0; f < FACES; ++f) {
                const int o = next[AT(f, c)];
                ox[f] = mx[AT(f, c)] - cx[c];
                oy[f] = my[AT(f, c)] - cy[c];
                dx[f] = o < 0 ? 2 * ox[f] : cx[o] - cx[c];
                dy[f] = o < 0 ? 2 * oy[f] : cy[o] - cy[c];
                a += dx[f] * dx[f];
                b += dx[f] * dy[f];
                d += dy[f] * dy[f];
            }
            const double scale = 1 / (a * d - b * b);
            for (size_t v = 0; v < VARIABLES; ++v) {
                const double *value = w + v * n, here = value[c];
                double sx = 0, sy = 0, least = here, most = here, limit = 1;
                for (size_t f = 0; f < FACES; ++f)
                    if (next[AT(f, c)] >= 0) {
                        const double there = value[next[AT(f, c)]];
                        sx += dx[f] * (there - here);
                        sy += dy[f] * (there - here);
                        least = there < least ? there : least;
                        most = there > most ? there : most;
                    }
                const double x = (d * sx - b * sy) * scale, y = (a * sy - b * sx) * scale;
                for (size_t f = 0; f < FACES; ++f) {
                    const double step = x * ox[f] + y * oy[f];
                    if (step > 1e-14 || step < -1e-14) {
                        const double room = ((step > 0 ? most : least) - here) / step;
                        limit = room < limit ? room : limit;
                    }
                }
                gx[AT(v, c)] = limit * x;
                gy[AT(v, c)] = limit * y;
            }
        }
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c) {
            state total = {0, 0, 0, 0};
            for (size_t k = c; k < FACES * n; k += n) {
                const double length = sqrt(nx[k] * nx[k] + ny[k] * ny[k]), ex = nx[k] / length, ey = ny[k] / length;
                const int o = next[k];
                state l = reconstructed(w, gx, gy, n, c, mx[k] - cx[c], my[k] - cy[c]), r = l;
                if (o >= 0)
                    r = reconstructed(w, gx, gy, n, o, mx[k] - cx[o], my[k] - cy[o]);
                else {
                    double through = l.u * ex + l.v * ey;
                    r.u -= 2 * through * ex;
                    r.v -= 2 * through * ey;
                }
                state f = hllc(l, r, ex, ey);
                total.rho += length * f.rho;
                total.u += length * f.u;
                total.v += length * f.v;
                total.p += length * f.p;
            }
            residual[c] = total.rho;
            residual[n + c] = total.u;
            residual[2 * n + c] = total.v;
            residual[3 * n + c] = total.p;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int squares = SQUARES >> args.shift / 2, n = 2 * squares * squares, *next = NEW(int, 3 * n);
    double *nx = NEW(double, 3 * n), *ny = NEW(double, 3 * n), *mx = NEW(double, 3 * n), *my = NEW(double, 3 * n);
    double *cx = NEW(double, n), *cy = NEW(double, n), *w = NEW(double, 4 * n), *gx = NEW(double, 4 * n);
    double *gy = NEW(double, 4 * n), *residual = NEW(double, 4 * n), sum = 0;
    mesh(squares, next, nx, ny, mx, my, cx, cy, w);
#pragma acc enter data copyin(next[0:3 * n], nx[0:3 * n], ny[0:3 * n], mx[0:3 * n], my[0:3 * n], cx[0:n], cy[0:n]) \
    copyin(w[0:4 * n]) create(gx[0:4 * n], gy[0:4 * n], residual[0:4 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        residuals(n, next, nx, ny, mx, my, cx, cy, w, gx, gy, residual);
#pragma acc update self(residual[0:4 * n])
    for (int k = 0; k < 4 * n; k++)
        sum += fabs(residual[k]);
    report("hllc", t.best, sum);
    return 0;
}
