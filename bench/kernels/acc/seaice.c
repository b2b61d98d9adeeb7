// Twelve elastic steps of sea ice on a grid of 1024 x 1024 cells, double: rates of strain in the cells from the velocities at their corners,
// stresses that relax to an elliptic yield curve (Hunke and Dukowicz), and their divergence, wind, water and
// the earth's turning at the corners; and the power of the wind.
#include "../kernels.h"

enum { SIDE = 1024, STEPS = 12 };

#define DT 10.0
#define WIDTH 4000.0
#define RELAX 360.0
#define LEAST 1e-9
#define ASPECT 2.0
#define DRAG 5.5
#define CORIOLIS 1.4e-4

#if SPELLING == 1
static double dynamics(int rows, const int *restrict land, const double *restrict mass, const double *restrict pressure,
                       const double *restrict windx, const double *restrict windy, double *restrict u, double *restrict v,
                       double *restrict s1, double *restrict s2, double *restrict s12)
{
    const int n = rows * SIDE;
    double power = 0;
#pragma acc data present(land[0:n], mass[0:n], pressure[0:n], windx[0:n], windy[0:n], u[0:n], v[0:n], s1[0:n], s2[0:n], s12[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < n; k++)
            u[k] = v[k] = s1[k] = s2[k] = s12[k] = 0;
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int j = 1; j < rows; j++)
                for (int i = 1; i < SIDE; i++) {
                    int k = j * SIDE + i, w = k - 1, s = k - SIDE, sw = s - 1;
                    if (land[k])
                        continue;
                    double ux = 0.5 * (u[k] + u[s] - u[w] - u[sw]) / WIDTH, uy = 0.5 * (u[k] + u[w] - u[s] - u[sw]) / WIDTH;
                    double vx = 0.5 * (v[k] + v[s] - v[w] - v[sw]) / WIDTH, vy = 0.5 * (v[k] + v[w] - v[s] - v[sw]) / WIDTH;
                    double div = ux + vy, tension = ux - vy, shear = uy + vx;
                    double delta = sqrt(div * div + (tension * tension + shear * shear) / (ASPECT * ASPECT));
                    double c = pressure[k] / fmax(delta, LEAST), f = DT / (2 * RELAX);
                    s1[k] = (s1[k] + f * c * (div - delta)) / (1 + f);
                    s2[k] = (s2[k] + f * c * tension) / (1 + f * ASPECT * ASPECT);
                    s12[k] = (s12[k] + f * c * 0.5 * shear) / (1 + f * ASPECT * ASPECT);
                }
#pragma acc parallel loop collapse(2) reduction(+ : power)
#pragma omp parallel for reduction(+ : power)
            for (int j = 1; j < rows - 1; j++)
                for (int i = 1; i < SIDE - 1; i++) {
                    int k = j * SIDE + i, e = k + 1, m = k + SIDE, me = m + 1;
                    if (land[k] || land[e] || land[m] || land[me])
                        continue;
                    double fx = 0.25 * (s1[e] + s1[me] - s1[k] - s1[m] + s2[e] + s2[me] - s2[k] - s2[m]) / WIDTH +
                                0.5 * (s12[m] + s12[me] - s12[k] - s12[e]) / WIDTH;
                    double fy = 0.25 * (s1[m] + s1[me] - s1[k] - s1[e] - s2[m] - s2[me] + s2[k] + s2[e]) / WIDTH +
                                0.5 * (s12[e] + s12[me] - s12[k] - s12[m]) / WIDTH;
                    double inertia = mass[k] / DT, drag = DRAG * sqrt(u[k] * u[k] + v[k] * v[k] + 1e-8);
                    double a = inertia + drag, b = mass[k] * CORIOLIS;
                    double x = inertia * u[k] + fx + windx[k], y = inertia * v[k] + fy + windy[k];
                    u[k] = (a * x + b * y) / (a * a + b * b);
                    v[k] = (a * y - b * x) / (a * a + b * b);
                    power += windx[k] * u[k] + windy[k] * v[k];
                }
        }
    }
    return power;
}
#else
typedef struct { double u, v; } velocity;
typedef struct { double sum, difference, shear; } stress;
typedef struct { double mass, pressure, x, y; } forcing;

#define AT(a, dj, di) a[(j + (dj)) * SIDE + i + (di)]
// Differences along i and j of what is at four corners, of which (j, i) is the last (0) or the first (1).
#define ALONG_I(a, f, o) (AT(a, o, o).f + AT(a, o - 1, o).f - AT(a, o, o - 1).f - AT(a, o - 1, o - 1).f)
#define ALONG_J(a, f, o) (AT(a, o, o).f + AT(a, o, o - 1).f - AT(a, o - 1, o).f - AT(a, o - 1, o - 1).f)

static double dynamics(long rows, const char *ocean, const forcing *ice, velocity *speed, stress *s)
{
    const long n = rows * SIDE;
    double power = 0;
#pragma acc parallel loop present(speed[:n], s[:n])
#pragma omp parallel for
    for (long k = 0; k < n; ++k) {
        speed[k].u = speed[k].v = 0;
        s[k].sum = s[k].difference = s[k].shear = 0;
    }
    for (int step = 1; step <= STEPS; ++step) {
#pragma acc parallel present(ocean[:n], ice[:n], speed[:n], s[:n])
        {
#pragma acc loop gang
#pragma omp parallel for
            for (long j = 1; j < rows; ++j) {
#pragma acc loop vector
                for (long i = 1; i < SIDE; ++i) {
                    if (AT(ocean, 0, 0)) {
                        const double ux = ALONG_I(speed, u, 0), vy = ALONG_J(speed, v, 0), scale = 1 / (2 * WIDTH);
                        const double div = scale * (ux + vy), tension = scale * (ux - vy);
                        const double shear = scale * (ALONG_J(speed, u, 0) + ALONG_I(speed, v, 0));
                        const double delta = hypot(div, hypot(tension, shear) / ASPECT);
                        const double f = DT / (2 * RELAX), c = f * AT(ice, 0, 0).pressure / (delta > LEAST ? delta : LEAST);
                        stress mine = AT(s, 0, 0);
                        mine.sum += c * (div - delta);
                        mine.difference += c * tension;
                        mine.shear += c / 2 * shear;
                        mine.sum /= 1 + f;
                        mine.difference /= 1 + f * ASPECT * ASPECT;
                        mine.shear /= 1 + f * ASPECT * ASPECT;
                        AT(s, 0, 0) = mine;
                    }
                }
            }
        }
        double all = 0;
#pragma acc parallel present(ocean[:n], ice[:n], speed[:n], s[:n]) reduction(+ : all)
        {
#pragma acc loop gang reduction(+ : all)
#pragma omp parallel for reduction(+ : all)
            for (long j = 1; j < rows - 1; ++j) {
#pragma acc loop vector reduction(+ : all)
                for (long i = 1; i < SIDE - 1; ++i) {
                    if (AT(ocean, 0, 0) && AT(ocean, 0, 1) && AT(ocean, 1, 0) && AT(ocean, 1, 1)) {
                        const forcing here = AT(ice, 0, 0);
                        const velocity old = AT(speed, 0, 0);
                        const double scale = 1 / (4 * WIDTH), inertia = here.mass / DT, b = CORIOLIS * here.mass;
                        const double a = inertia + DRAG * sqrt(old.u * old.u + old.v * old.v + 1e-8);
                        const double x = inertia * old.u + here.x +
                                         scale * (ALONG_I(s, sum, 1) + ALONG_I(s, difference, 1) + 2 * ALONG_J(s, shear, 1));
                        const double y = inertia * old.v + here.y +
                                         scale * (ALONG_J(s, sum, 1) - ALONG_J(s, difference, 1) + 2 * ALONG_I(s, shear, 1));
                        const velocity new = {(a * x + b * y) / (a * a + b * b), (a * y - b * x) / (a * a + b * b)};
                        AT(speed, 0, 0) = new;
                        all += here.x * new.u + here.y * new.v;
                    }
                }
            }
        }
        power += all;
    }
    return power;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, *land = NEW(int, n);
    double *mass = NEW(double, n), *pressure = NEW(double, n), *windx = NEW(double, n), *windy = NEW(double, n);
    double *u = NEW(double, n), *v = NEW(double, n), power = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        int i = k % SIDE, j = k / SIDE;
        double thickness = 1 + 0.5 * sin(0.02 * i) * cos(0.03 * j) + 0.2 * number(k);
        land[k] = mix(i / 16 + j / 16 * SIDE) % 16 == 0;
        mass[k] = 900 * thickness;
        pressure[k] = 27500 * thickness * exp(-3 * number(k + 3));
        windx[k] = 0.1 + 0.05 * sin(0.01 * j);
        windy[k] = 0.06 * cos(0.013 * i);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *s1 = NEW(double, n), *s2 = NEW(double, n), *s12 = NEW(double, n);
#pragma acc enter data copyin(land[0:n], mass[0:n], pressure[0:n], windx[0:n], windy[0:n]) \
    create(u[0:n], v[0:n], s1[0:n], s2[0:n], s12[0:n])
    while (lap(&t))
        power = dynamics(rows, land, mass, pressure, windx, windy, u, v, s1, s2, s12);
#pragma acc update self(u[0:n], v[0:n])
#else
    char *ocean = NEW(char, n);
    forcing *ice = NEW(forcing, n);
    velocity *speed = NEW(velocity, n);
    stress *s = NEW(stress, n);
    for (int k = 0; k < n; k++) {
        ocean[k] = !land[k];
        ice[k] = (forcing){mass[k], pressure[k], windx[k], windy[k]};
    }
#pragma acc enter data copyin(ocean[:n], ice[:n]) create(speed[:n], s[:n])
    while (lap(&t))
        power = dynamics(rows, ocean, ice, speed, s);
#pragma acc update self(speed[:n])
    for (int k = 0; k < n; k++) {
        u[k] = speed[k].u;
        v[k] = speed[k].v;
    }
#endif
    for (int k = 0; k < n; k++)
        sum += u[k] * (1 + k % 3) + v[k] * (1 + k % 2);
    report("seaice", t.best, 1e3 * sum + power);
    return 0;
}
