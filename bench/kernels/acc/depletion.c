// Burning of fuel: 48 nuclides in 2^16 zones, double complex, by a rational approximation of the exponential of each zone's matrix of decays
// and captures (eight pairs of poles): each nuclide comes from up to three others before it, so that a system is solved going forward.
#include "../kernels.h"
#include <complex.h>

enum { ZONES = 1 << 16, NUCLIDES = 48, PARENTS = 3, POLES = 8 };

#define DAYS 1.0

static const double pole[POLES][2] = {
    {-10.843917078696988026, 19.277446167181652284}, {-5.2649713434426468895, 16.220221473167927305},
    {5.9481522689511774808, 3.5874573620183222829},  {3.5091036084149180974, 8.4361989858843750826},
    {6.4161776990994341923, 1.1941223933701386874},  {1.4193758971856659786, 10.925363484496722585},
    {4.9931747377179963991, 5.9968817136039422260},  {-1.4139284624888862114, 13.497725698892745389}};
static const double residue[POLES][2] = {
    {-5.0901521865224915650e-7, -2.4220017652852287970e-5}, {2.1151742182466030907e-4, 4.3892969647380673918e-3},
    {113.39775178483930527, 101.9472170421585645},          {15.059585270023467528, -5.7514052776421819979},
    {-64.500878025539646595, -224.59440762652096056},       {-1.4793007113557999718, 1.7686588323782937906},
    {-62.518392463207918892, -11.190391094283228480},       {4.1023136835410021273e-2, -0.15743466173455468191}};

#define LIMIT 2.1248537104952237488e-16

#if SPELLING == 1
// Amounts are [nuclide][zone]; parents and what they give by decay and by capture are [nuclide][parent].
static void burn(int n, const double *restrict flux, const double *restrict decay, const double *restrict capture,
                 const int *restrict parent, const double *restrict decays, const double *restrict captures, const double *restrict before,
                 double *restrict after)
{
#pragma acc parallel loop gang vector vector_length(64) copyin(pole, residue) present(flux[0:n], decay[0:NUCLIDES], capture[0:NUCLIDES], \
    parent[0:NUCLIDES * PARENTS], decays[0:NUCLIDES * PARENTS], captures[0:NUCLIDES * PARENTS], before[0:NUCLIDES * n], after[0:NUCLIDES * n])
#pragma omp parallel for
    for (int z = 0; z < n; z++) {
        double complex x[NUCLIDES];
        for (int i = 0; i < NUCLIDES; i++)
            after[i * n + z] = LIMIT * before[i * n + z];
        for (int p = 0; p < POLES; p++) {
            double complex theta = pole[p][0] + pole[p][1] * I, alpha = residue[p][0] + residue[p][1] * I;
            for (int i = 0; i < NUCLIDES; i++) {
                double complex right = before[i * n + z];
                for (int k = 0; k < PARENTS; k++) {
                    int from = parent[i * PARENTS + k];
                    if (from >= 0)
                        right -= DAYS * (decays[i * PARENTS + k] + flux[z] * captures[i * PARENTS + k]) * x[from];
                }
                x[i] = right / (-DAYS * (decay[i] + flux[z] * capture[i]) - theta);
                after[i * n + z] += 2 * creal(alpha * x[i]);
            }
        }
    }
}
#else
struct complex_number { double re, im; };
struct source { int from; double decay, capture; };
struct nuclide { double decay, capture; struct source parents[PARENTS]; };

static struct complex_number ratio(struct complex_number a, struct complex_number b)
{
    double size = b.re * b.re + b.im * b.im;
    struct complex_number c = {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
    return c;
}

// The system of one pole; adds its part to the amounts.
static void forward(const struct nuclide *chain, double flux, const double *theta, const double *alpha, const double *start, double *sum)
{
    struct complex_number x[NUCLIDES], *here = x;
    for (const struct nuclide *u = chain; u != chain + NUCLIDES; ++u, ++here) {
        struct complex_number right = {*start++, 0};
        for (const struct source *s = u->parents; s < u->parents + PARENTS && s->from >= 0; ++s) {
            double rate = DAYS * (s->decay + flux * s->capture);
            right.re -= rate * x[s->from].re;
            right.im -= rate * x[s->from].im;
        }
        *here = ratio(right, (struct complex_number){-DAYS * (u->decay + flux * u->capture) - theta[0], -theta[1]});
        *sum++ += 2 * (alpha[0] * here->re - alpha[1] * here->im);
    }
}

static void burn(size_t n, double *flux, struct nuclide *chain, double *before, double *after)
{
#pragma acc parallel loop copyin(pole[0:POLES], residue[0:POLES]) present(flux[0:n], chain[0:NUCLIDES], before[0:NUCLIDES * n], \
                                                                              after[0:NUCLIDES * n])
#pragma omp parallel for
    for (size_t z = 0; z < n; ++z) {
        double start[NUCLIDES], sum[NUCLIDES];
        for (size_t i = 0; i < NUCLIDES; ++i) {
            start[i] = before[i * n + z];
            sum[i] = LIMIT * start[i];
        }
        for (size_t p = 0; p < POLES; ++p)
            forward(chain, flux[z], pole[p], residue[p], start, sum);
        for (size_t i = 0; i < NUCLIDES; ++i)
            after[i * n + z] = sum[i];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ZONES >> args.shift, all = NUCLIDES * n, sources = NUCLIDES * PARENTS;
    double *flux = NEW(double, n), *decay = NEW(double, NUCLIDES), *capture = NEW(double, NUCLIDES), *decays = NEW(double, sources),
           *captures = NEW(double, sources), *before = NEW(double, all), *after = NEW(double, all), sum = 0;
    int *parent = NEW(int, sources);
    for (int i = 0; i < NUCLIDES; i++) {
        decay[i] = pow(10, 4 * number(i) - 3);
        capture[i] = 0.05 * number(i + 1);
        for (int k = 0; k < PARENTS; k++) {
            int from = i - 1 - (k ? (int)(mix(i * PARENTS + k) % 8) : 0), at = i * PARENTS + k;
            parent[at] = from < 0 || k > 1 + i % 2 ? -1 : from;
            decays[at] = from < 0 ? 0 : 0.3 * decay[from];
            captures[at] = from < 0 ? 0 : 0.3 * capture[from];
        }
        // none comes after one that is missing
        if (parent[i * PARENTS + 1] < 0)
            parent[i * PARENTS + 2] = -1;
    }
    FILL(flux, n, 2);
    FILL(before, all, 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(flux[0:n], decay[0:NUCLIDES], capture[0:NUCLIDES], parent[0:sources], decays[0:sources], \
                              captures[0:sources], before[0:all]) create(after[0:all])
    while (lap(&t))
        burn(n, flux, decay, capture, parent, decays, captures, before, after);
#else
    struct nuclide *chain = NEW(struct nuclide, NUCLIDES);
    for (int k = 0; k < sources; k++) {
        struct nuclide *u = chain + k / PARENTS;
        u->decay = decay[k / PARENTS];
        u->capture = capture[k / PARENTS];
        u->parents[k % PARENTS] = (struct source){parent[k], decays[k], captures[k]};
    }
#pragma acc enter data copyin(flux[0:n], chain[0:NUCLIDES], before[0:all]) create(after[0:all])
    while (lap(&t))
        burn(n, flux, chain, before, after);
#endif
#pragma acc update self(after[0:all])
    SUM(sum, after, all);
    report("depletion", t.best, sum);
    return 0;
}
