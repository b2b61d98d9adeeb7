// Sizes that the host sets to constants where it declares them are constants in kernels: numbers, and members of structs of which
// others are not constant. Loops over them are unrolled as if the size were written there.
struct grid {
    int cells;
    struct {
        double weight;
        int width;
    } near;
};

static double sums(int n, const double *x, double *y)
{
    struct grid g = {n, {0.5, 3}}, changed = {n, {0.5, 3}};
    const int width = 4;
    long length = 5;
    changed.near.width = n;
#pragma acc parallel loop copyin(x[0:n]) copyout(y[0:n])
    for (int i = 0; i < g.cells; i++) {
        double s = 0;
        for (int k = 0; k < g.near.width; k++)
            s += g.near.weight * x[(i + k) % n];
        for (int k = 0; k < width; k++)
            s -= x[(i + 2 * k) % n];
        for (long k = 0; k < length; k++)
            s *= x[k];
        for (int k = 0; k < changed.near.width; k++)
            s += x[k];
        y[i] = s;
    }
    return y[0];
}

// The assembler leaves loops with divisions alone, so that longer ones are unrolled here.
static void eliminate(int n, int m, const double *restrict l, const double *restrict d, const double *restrict u,
                      double *restrict c, double *restrict x)
{
#pragma acc parallel loop present(l[0:n * m], d[0:n * m], u[0:n * m], c[0:n * m], x[0:n * m])
    for (int s = 0; s < n; s++)
        for (int k = 1; k < m; k++) {
            int at = k * n + s;
            double pivot = 1 / (d[at] - l[at] * c[at - n]);
            c[at] = u[at] * pivot;
            x[at] = (d[at] - l[at] * x[at - n]) * pivot;
        }
}

int main(void)
{
    enum { SYSTEMS = 40, UNKNOWNS = 5, ALL = SYSTEMS * UNKNOWNS };
    static double x[ALL], y[ALL], l[ALL], d[ALL], u[ALL];
    for (int i = 0; i < ALL; i++)
        d[i] = 2;
#pragma acc data copyin(l, d, u) copy(x, y)
    eliminate(SYSTEMS, UNKNOWNS, l, d, u, x, y);
    return sums(ALL, x, y) != 0;
}
