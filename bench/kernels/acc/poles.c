// Cross sections from poles in windows of energy, double complex: 2^16 look-ups of eight nuclides each, whose resonances are broadened
// by the Faddeeva function (a series near the origin, an asymptotic form far from it).
#include "../kernels.h"
#include <complex.h>

enum { LOOKUPS = 1 << 16, NUCLIDES = 64, WINDOWS = 64, POLES = 4, CHOSEN = 8, TERMS = 10 };
#define PI 3.14159265358979323846
#define TAU 12.0

static const double weight[TERMS] = {0.275840233, 0.224573955, 0.159414938, 0.0986657664, 0.0532441408,
                                     0.02505215,  0.0102774657, 0.00367616433, 0.00114649364, 0.000311757015};

// Up to four poles in each window of a nuclide, its smooth part and the radii of its partial waves.
#if SPELLING == 1
typedef struct { double complex at, total, absorbed; int wave; } pole;
#define SET(z, x, y) ((z) = (x) + (y) * I)

static double complex faddeeva(double complex z)
{
    if (cabs(z) >= 6)
        return I * z * (0.5124242 / (z * z - 0.2752551) + 0.05176536 / (z * z - 2.724745));
    double complex e = cexp(I * TAU * z), sum = 0;
    double sign = -1;
    for (int n = 0; n < TERMS; n++) {
        sum += weight[n] * (sign * e - 1) / ((n + 1) * (n + 1) * PI * PI - TAU * TAU * z * z);
        sign = -sign;
    }
    return I * (1 - e) / (TAU * z) + I * TAU * TAU * z / sqrt(PI) * sum;
}

static void look_up(int n, const pole *restrict poles, const int *restrict many, const double *restrict radius,
                    const double *restrict smooth, double *restrict out)
{
#pragma acc parallel loop present(poles[0:NUCLIDES * WINDOWS * POLES], many[0:NUCLIDES * WINDOWS], radius[0:NUCLIDES * 4], \
                                  smooth[0:NUCLIDES * WINDOWS * 3], out[0:2 * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double energy = 0.01 + 0.98 * number(i), root = sqrt(energy), total = 0, absorbed = 0;
        int window = (int)(energy * WINDOWS);
        for (int c = 0; c < CHOSEN; c++) {
            int nuclide = mix(i * CHOSEN + c) % NUCLIDES;
            double complex factor[4];
            for (int l = 0; l < 4; l++) {
                double phi = radius[nuclide * 4 + l] * root;
                switch (l) {
                case 1: phi -= atan(phi); break;
                case 2: phi -= atan(3 * phi / (3 - phi * phi)); break;
                case 3: phi -= atan(phi * (15 - phi * phi) / (15 - 6 * phi * phi)); break;
                }
                factor[l] = cos(2 * phi) - sin(2 * phi) * I;
            }
            int place = nuclide * WINDOWS + window;
            const double *s = &smooth[place * 3];
            total += s[0] + s[1] * root;
            absorbed += s[2];
            for (int p = 0; p < many[place]; p++) {
                const pole *q = &poles[place * POLES + p];
                double complex w = faddeeva((root - q->at) * 20) / energy;
                total += creal(q->total * w * factor[q->wave]);
                absorbed += creal(q->absorbed * w);
            }
        }
        out[2 * i] = total;
        out[2 * i + 1] = absorbed;
    }
}
#else
typedef struct { double x, y; } pair;
typedef struct { pair at, total, absorbed; int wave; } pole;
#define SET(z, re, im) ((z).x = (re), (z).y = (im))

static inline pair times(pair a, pair b)
{
    pair c = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    return c;
}

static inline pair over(pair a, pair b)
{
    double d = b.x * b.x + b.y * b.y;
    return (pair){(a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d};
}

static void faddeeva(const pair *z, pair *w)
{
    pair square = times(*z, *z), sum = {0, 0}, turned = {-z->y, z->x};
    if (z->x * z->x + z->y * z->y >= 36) {
        pair first = over((pair){0.5124242, 0}, (pair){square.x - 0.2752551, square.y}),
             second = over((pair){0.05176536, 0}, (pair){square.x - 2.724745, square.y});
        *w = times(turned, (pair){first.x + second.x, first.y + second.y});
        return;
    }
    double size = exp(-TAU * z->y);
    pair e = {size * cos(TAU * z->x), size * sin(TAU * z->x)};
    for (unsigned n = 1; n <= TERMS; ++n) {
        double sign = n & 1 ? -1.0 : 1.0;
        pair above = {sign * e.x - 1, sign * e.y}, below = {n * n * PI * PI - TAU * TAU * square.x, -TAU * TAU * square.y};
        pair term = over(above, below);
        sum.x += weight[n - 1] * term.x;
        sum.y += weight[n - 1] * term.y;
    }
    pair first = over((pair){e.y, 1 - e.x}, (pair){TAU * z->x, TAU * z->y}), second = times(turned, sum);
    w->x = first.x + TAU * TAU / sqrt(PI) * second.x;
    w->y = first.y + TAU * TAU / sqrt(PI) * second.y;
}

static void look_up(size_t n, pole *poles, int *many, double *radius, double *smooth, double *out)
{
    pole(*at)[POLES] = (pole(*)[POLES])poles;
    double(*background)[3] = (double(*)[3])smooth, (*wave)[4] = (double(*)[4])radius;
#pragma acc kernels present(at[0:NUCLIDES * WINDOWS], many[0:NUCLIDES * WINDOWS], wave[0:NUCLIDES], background[0:NUCLIDES * WINDOWS], \
                            out[0:2 * n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        double energy = 0.01 + 0.98 * number(i), root = sqrt(energy), xs[2] = {0, 0};
        size_t window = (size_t)(energy * WINDOWS);
        for (unsigned c = 0; c < CHOSEN; ++c) {
            size_t nuclide = mix(i * CHOSEN + c) % NUCLIDES, place = nuclide * WINDOWS + window;
            double phi[4];
            for (unsigned l = 0; l < 4; ++l)
                phi[l] = wave[nuclide][l] * root;
            phi[1] -= atan(phi[1]);
            phi[2] -= atan(3 * phi[2] / (3 - phi[2] * phi[2]));
            phi[3] -= atan(phi[3] * (15 - phi[3] * phi[3]) / (15 - 6 * phi[3] * phi[3]));
            pair factor[4];
            for (unsigned l = 0; l < 4; ++l) {
                factor[l].x = cos(2 * phi[l]);
                factor[l].y = -sin(2 * phi[l]);
            }
            xs[0] += background[place][0] + background[place][1] * root;
            xs[1] += background[place][2];
            for (int p = 0; p < many[place]; ++p) {
                pole q = at[place][p];
                pair z = {(root - q.at.x) * 20, -q.at.y * 20}, w;
                faddeeva(&z, &w);
                xs[0] += times(times(q.total, w), factor[q.wave]).x / energy;
                xs[1] += times(q.absorbed, w).x / energy;
            }
        }
        out[2 * i + 0] = xs[0];
        out[2 * i + 1] = xs[1];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LOOKUPS >> args.shift, places = NUCLIDES * WINDOWS, *many = NEW(int, places);
    pole *poles = NEW(pole, places *POLES);
    double *radius = NEW(double, NUCLIDES * 4), *smooth = NEW(double, places * 3), *out = NEW(double, 2 * n), sum = 0;
    for (int k = 0; k < places; k++)
        many[k] = 1 + mix(k + 77) % POLES;
    for (int k = 0; k < places * POLES; k++) {
        double middle = (k / POLES % WINDOWS + number(k)) / WINDOWS;
        SET(poles[k].at, sqrt(middle), -0.001 - 0.01 * number(k + 1));
        SET(poles[k].total, 1 + number(k + 2), 0.1 * number(k + 3));
        SET(poles[k].absorbed, 0.5 + number(k + 4), 0.1 * number(k + 5));
        poles[k].wave = mix(k + 6) % 4;
    }
    FILL(radius, NUCLIDES * 4, 0.5);
    FILL(smooth, places * 3, 1);
#pragma acc enter data copyin(poles[0:places * POLES], many[0:places], radius[0:NUCLIDES * 4], smooth[0:places * 3]) create(out[0:2 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        look_up(n, poles, many, radius, smooth, out);
#pragma acc update self(out[0:2 * n])
    for (int k = 0; k < 2 * n; k++)
        sum += fabs(out[k]);
    report("poles", t.best, sum);
    return 0;
}
