struct point { double x, y; };

double shifted(double x);
#pragma omp declare target enter(shifted)

#pragma omp declare target
static double twice(double x) { return 2 * shifted(x); }
double at(const double *a, int i) { return twice(a[i]); }
#pragma omp end declare target

struct point turned(struct point p, double by)
{
    struct point q = {p.x + by * p.y, p.y - by * p.x};
    return q;
}

void step(double *to, double by)
{
    for (int i = 0; i < 3; i++) *to += by;
}
#pragma omp declare target to(turned, step)
