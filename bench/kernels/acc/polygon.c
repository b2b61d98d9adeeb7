// Which of 2^20 points are inside of a polygon of 1024 corners, double: how often a line to the right crosses its edges; how many are, as a reduction.
#include "../kernels.h"

enum { POINTS = 1 << 20, CORNERS = 1024 };

#if SPELLING == 1
static int inside(int n, const double *restrict x, const double *restrict y, const double *restrict cx, const double *restrict cy, unsigned char *restrict in)
{
    int count = 0;
#pragma acc parallel loop reduction(+ : count) present(x[0:n], y[0:n], cx[0:CORNERS], cy[0:CORNERS], in[0:n])
#pragma omp parallel for reduction(+ : count)
    for (int p = 0; p < n; p++) {
        int odd = 0;
        for (int i = 0, j = CORNERS - 1; i < CORNERS; j = i++)
            if ((cy[i] > y[p]) != (cy[j] > y[p]) && x[p] < (cx[j] - cx[i]) * (y[p] - cy[i]) / (cy[j] - cy[i]) + cx[i])
                odd = !odd;
        in[p] = odd;
        count += odd;
    }
    return count;
}
#else
struct point { double x, y; };

static unsigned crossings(struct point p, const struct point *corner, unsigned corners)
{
    unsigned crossed = 0;
    for (unsigned i = 0; i < corners; ++i) {
        struct point a = corner[i], b = corner[(i + corners - 1) % corners];
        if ((a.y > p.y) == (b.y > p.y))
            continue;
        double side = (p.x - a.x) * (b.y - a.y) - (b.x - a.x) * (p.y - a.y);
        if (b.y > a.y ? side < 0 : side > 0)
            ++crossed;
    }
    return crossed;
}

static unsigned inside(unsigned n, double *x, double *y, struct point *corner, unsigned char *in)
{
    unsigned count = 0;
#pragma acc kernels present(x[0:n], y[0:n], corner[0:CORNERS], in[0:n])
#pragma acc loop independent reduction(+ : count)
#pragma omp parallel for reduction(+ : count)
    for (unsigned k = 0; k < n; ++k) {
        struct point p = {x[k], y[k]};
        in[k] = crossings(p, corner, CORNERS) & 1;
        count += in[k];
    }
    return count;
}
#endif

static void corner(int i, double *x, double *y)
{
    double angle = 2 * 3.14159265358979 * i / CORNERS, radius = 0.2 + 0.29 * number(i);
    *x = 0.5 + radius * cos(angle);
    *y = 0.5 + radius * sin(angle);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, count = 0;
    double *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    unsigned char *in = NEW(unsigned char, n);
    FILL(x, n, 1);
    for (int k = 0; k < n; k++)
        y[k] = number(5 * k + 3);
#if SPELLING == 1
    double *cx = NEW(double, CORNERS), *cy = NEW(double, CORNERS);
    for (int i = 0; i < CORNERS; i++)
        corner(i, &cx[i], &cy[i]);
#pragma acc enter data copyin(cx[0:CORNERS], cy[0:CORNERS])
#else
    struct point *corners = NEW(struct point, CORNERS);
    for (int i = 0; i < CORNERS; i++)
        corner(i, &corners[i].x, &corners[i].y);
#pragma acc enter data copyin(corners[0:CORNERS])
#endif
#pragma acc enter data copyin(x[0:n], y[0:n]) create(in[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        count = inside(n, x, y, cx, cy, in);
#else
        count = inside(n, x, y, corners, in);
#endif
    }
#pragma acc update self(in[0:n])
    for (int k = 0; k < n; k++)
        sum += in[k] * (k % 7 + 1);
    report("polygon", t.best, sum + count);
    return 0;
}
