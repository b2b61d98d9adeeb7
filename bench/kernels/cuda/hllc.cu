// Residuals of the Euler equations on an unstructured mesh of 2^19 triangles, double: a thread a triangle in both
// kernels, what it needs of itself in registers, loops over variables and faces unrolled.
#include "kernels.cuh"

constexpr int SQUARES = 512, FACES = 3, VARIABLES = 4;
constexpr double GAMMA = 1.4;

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

__global__ void __launch_bounds__(128)
    gradients(int n, const int *__restrict__ next, const double *__restrict__ mx, const double *__restrict__ my,
              const double *__restrict__ cx, const double *__restrict__ cy, const double *__restrict__ w,
              double *__restrict__ gx, double *__restrict__ gy)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    double x0 = cx[c], y0 = cy[c], ox[FACES], oy[FACES], dx[FACES], dy[FACES], a = 0, b = 0, d = 0;
    int other[FACES];
#pragma unroll
    for (int f = 0; f < FACES; f++) {
        int o = other[f] = next[f * n + c];
        ox[f] = mx[f * n + c] - x0;
        oy[f] = my[f * n + c] - y0;
        dx[f] = o < 0 ? 2 * ox[f] : __ldg(&cx[o]) - x0;
        dy[f] = o < 0 ? 2 * oy[f] : __ldg(&cy[o]) - y0;
        a += dx[f] * dx[f];
        b += dx[f] * dy[f];
        d += dy[f] * dy[f];
    }
    double scale = 1 / (a * d - b * b);
#pragma unroll
    for (int v = 0; v < VARIABLES; v++) {
        double here = w[v * n + c], sx = 0, sy = 0, least = here, most = here, limit = 1;
#pragma unroll
        for (int f = 0; f < FACES; f++) {
            double there = other[f] < 0 ? here : __ldg(&w[v * n + other[f]]);
            sx += dx[f] * (there - here);
            sy += dy[f] * (there - here);
            least = fmin(least, there);
            most = fmax(most, there);
        }
        double x = (d * sx - b * sy) * scale, y = (a * sy - b * sx) * scale;
#pragma unroll
        for (int f = 0; f < FACES; f++) {
            double step = x * ox[f] + y * oy[f];
            if (fabs(step) > 1e-14)
                limit = fmin(limit, ((step > 0 ? most : least) - here) / step);
        }
        gx[v * n + c] = limit * x;
        gy[v * n + c] = limit * y;
    }
}

__device__ void hllc(const double (&l)[VARIABLES], const double (&r)[VARIABLES], double nx, double ny, double length,
                     double (&total)[VARIABLES])
{
    double ul = l[1] * nx + l[2] * ny, ur = r[1] * nx + r[2] * ny;
    double cl = sqrt(GAMMA * l[3] / l[0]), cr = sqrt(GAMMA * r[3] / r[0]);
    double sl = fmin(ul - cl, ur - cr), sr = fmax(ul + cl, ur + cr);
    double ml = l[0] * (sl - ul), mr = r[0] * (sr - ur), star = (r[3] - l[3] + ml * ul - mr * ur) / (ml - mr);
    bool left = star >= 0;
    double rho = left ? l[0] : r[0], u = left ? l[1] : r[1], v = left ? l[2] : r[2], p = left ? l[3] : r[3];
    double s = left ? sl : sr, un = left ? ul : ur, m = left ? ml : mr,
           e = p / (GAMMA - 1) + 0.5 * rho * (u * u + v * v);
    double f[VARIABLES] = {rho * un, rho * u * un + p * nx, rho * v * un + p * ny, (e + p) * un};
    if (sl < 0 && sr > 0) {
        double k = m / (s - star);
        f[0] += s * (k - rho);
        f[1] += s * (k * (u + (star - un) * nx) - rho * u);
        f[2] += s * (k * (v + (star - un) * ny) - rho * v);
        f[3] += s * (k * (e / rho + (star - un) * (star + p / m)) - e);
    }
#pragma unroll
    for (int k = 0; k < VARIABLES; k++)
        total[k] += length * f[k];
}

__global__ void __launch_bounds__(128)
    fluxes(int n, const int *__restrict__ next, const double *__restrict__ nx, const double *__restrict__ ny,
           const double *__restrict__ mx, const double *__restrict__ my, const double *__restrict__ cx,
           const double *__restrict__ cy, const double *__restrict__ w, const double *__restrict__ gx,
           const double *__restrict__ gy, double *__restrict__ residual)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    double x0 = cx[c], y0 = cy[c], here[VARIABLES], sx[VARIABLES], sy[VARIABLES], total[VARIABLES] = {};
#pragma unroll
    for (int v = 0; v < VARIABLES; v++) {
        here[v] = w[v * n + c];
        sx[v] = gx[v * n + c];
        sy[v] = gy[v * n + c];
    }
#pragma unroll
    for (int f = 0; f < FACES; f++) {
        int o = next[f * n + c];
        double ex = nx[f * n + c], ey = ny[f * n + c], length = sqrt(ex * ex + ey * ey), x = mx[f * n + c],
               y = my[f * n + c];
        double l[VARIABLES], r[VARIABLES];
        ex /= length;
        ey /= length;
#pragma unroll
        for (int v = 0; v < VARIABLES; v++)
            l[v] = r[v] = here[v] + sx[v] * (x - x0) + sy[v] * (y - y0);
        if (o >= 0) {
            double dx = x - __ldg(&cx[o]), dy = y - __ldg(&cy[o]);
#pragma unroll
            for (int v = 0; v < VARIABLES; v++)
                r[v] = __ldg(&w[v * n + o]) + __ldg(&gx[v * n + o]) * dx + __ldg(&gy[v * n + o]) * dy;
        } else {
            double through = 2 * (l[1] * ex + l[2] * ey);
            r[1] -= through * ex;
            r[2] -= through * ey;
        }
        hllc(l, r, ex, ey, length, total);
    }
#pragma unroll
    for (int v = 0; v < VARIABLES; v++)
        residual[v * n + c] = total[v];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int squares = SQUARES >> args.shift / 2, n = 2 * squares * squares, *next = NEW(int, 3 * n);
    double *nx = NEW(double, 3 * n), *ny = NEW(double, 3 * n), *mx = NEW(double, 3 * n), *my = NEW(double, 3 * n);
    double *cx = NEW(double, n), *cy = NEW(double, n), *w = NEW(double, 4 * n), *residual = NEW(double, 4 * n), sum = 0;
    mesh(squares, next, nx, ny, mx, my, cx, cy, w);
    int *dnext = on_device(next, 3 * n);
    double *dnx = on_device(nx, 3 * n), *dny = on_device(ny, 3 * n), *dmx = on_device(mx, 3 * n),
           *dmy = on_device(my, 3 * n);
    double *dcx = on_device(cx, n), *dcy = on_device(cy, n), *dw = on_device(w, 4 * n);
    double *dgx = device<double>(4 * n), *dgy = device<double>(4 * n), *dresidual = device<double>(4 * n);
    double best = fastest(args.repeats, [&] {
        gradients<<<ceiling(n, 128), 128>>>(n, dnext, dmx, dmy, dcx, dcy, dw, dgx, dgy);
        fluxes<<<ceiling(n, 128), 128>>>(n, dnext, dnx, dny, dmx, dmy, dcx, dcy, dw, dgx, dgy, dresidual);
    });
    to_host(residual, dresidual, 4 * n);
    for (int k = 0; k < 4 * n; k++)
        sum += fabs(residual[k]);
    report("hllc", best, sum);
    return 0;
}
