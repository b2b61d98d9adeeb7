// An iteration of coupled-cluster doubles with the ladder of particles only, double: 24 occupied and 36 empty orbitals; amplitudes with the products of
// singles times the integrals of four empty orbitals, made symmetric, divided by energies, and the energy of correlation.
#include "../kernels.h"

enum { OCCUPIED = 24, EMPTY = 36 };

#if SPELLING == 1
static double iterate(int o, int v, const double *restrict e, const double *restrict t1, const double *restrict t2, const double *restrict ladder,
                      const double *restrict integral, double *restrict tau, double *restrict r, double *restrict next)
{
    int oo = o * o, vv = v * v;
    double energy = 0;
#pragma acc data present(e[0:o + v], t1[0:o * v], t2[0:oo * vv], ladder[0:vv * vv], integral[0:oo * vv], tau[0:oo * vv], r[0:oo * vv], next[0:oo * vv])
    {
#pragma acc parallel loop collapse(4)
#pragma omp parallel for collapse(2)
        for (int i = 0; i < o; i++)
            for (int j = 0; j < o; j++)
                for (int a = 0; a < v; a++)
                    for (int b = 0; b < v; b++)
                        tau[((i * o + j) * v + a) * v + b] = t2[((i * o + j) * v + a) * v + b] + t1[i * v + a] * t1[j * v + b];
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int ij = 0; ij < oo; ij++) {
#pragma acc loop vector
#pragma omp simd
            for (int ab = 0; ab < vv; ab++)
                r[ij * vv + ab] = integral[ij * vv + ab];
#pragma acc loop seq
            for (int cd = 0; cd < vv; cd++) {
                double amplitude = tau[ij * vv + cd];
#pragma acc loop vector
#pragma omp simd
                for (int ab = 0; ab < vv; ab++)
                    r[ij * vv + ab] += amplitude * ladder[cd * vv + ab];
            }
        }
#pragma acc parallel loop collapse(4) reduction(+ : energy)
#pragma omp parallel for collapse(2) reduction(+ : energy)
        for (int i = 0; i < o; i++)
            for (int j = 0; j < o; j++)
                for (int a = 0; a < v; a++)
                    for (int b = 0; b < v; b++) {
                        int at = ((i * o + j) * v + a) * v + b, other = ((j * o + i) * v + b) * v + a, exchanged = ((i * o + j) * v + b) * v + a;
                        double t = 0.5 * (r[at] + r[other]) / (e[i] + e[j] - e[o + a] - e[o + b]);
                        next[at] = t;
                        energy += (2 * integral[at] - integral[exchanged]) * (t + t1[i * v + a] * t1[j * v + b]);
                    }
    }
    return energy;
}
#else
// Two j at a time.
static double iterate(unsigned o, unsigned v, double *below, double *above, double t1[o][v], double t2[o][o][v][v], double ladder[v][v][v][v],
                      double integral[o][o][v][v], double tau[o][o][v][v], double r[o][o][v][v], double next[o][o][v][v])
{
    double direct = 0, exchange = 0;
#pragma acc kernels present(below[0:o], above[0:v], t1[0:o], t2[0:o], ladder[0:v], integral[0:o], tau[0:o], r[0:o], next[0:o])
    {
#pragma acc loop independent collapse(2)
#pragma omp parallel for collapse(2)
        for (unsigned i = 0; i < o; ++i)
            for (unsigned j = 0; j < o; ++j) {
#pragma acc loop independent collapse(2)
                for (unsigned a = 0; a < v; ++a)
                    for (unsigned b = 0; b < v; ++b)
                        tau[i][j][a][b] = t2[i][j][a][b] + t1[i][a] * t1[j][b];
            }
#pragma acc loop independent gang collapse(2)
#pragma omp parallel for collapse(2)
        for (unsigned i = 0; i < o; ++i)
            for (unsigned part = 0; part < o / 2; ++part) {
#pragma acc loop independent vector collapse(2)
                for (unsigned a = 0; a < v; ++a)
                    for (unsigned b = 0; b < v; ++b) {
                        double one = integral[i][2 * part][a][b], two = integral[i][2 * part + 1][a][b];
#pragma acc loop seq
                        for (unsigned c = 0; c < v; ++c)
#pragma acc loop seq
                            for (unsigned d = 0; d < v; ++d) {
                                double w = ladder[c][d][a][b];
                                one += tau[i][2 * part][c][d] * w;
                                two += tau[i][2 * part + 1][c][d] * w;
                            }
                        r[i][2 * part][a][b] = one;
                        r[i][2 * part + 1][a][b] = two;
                    }
            }
#pragma acc loop independent collapse(2) reduction(+ : direct, exchange)
#pragma omp parallel for collapse(2) reduction(+ : direct, exchange)
        for (unsigned i = 0; i < o; ++i)
            for (unsigned j = 0; j < o; ++j) {
#pragma acc loop independent collapse(2) reduction(+ : direct, exchange)
                for (unsigned a = 0; a < v; ++a)
                    for (unsigned b = 0; b < v; ++b) {
                        double t = (r[i][j][a][b] + r[j][i][b][a]) / (2 * (below[i] + below[j] - above[a] - above[b])), both = t + t1[i][a] * t1[j][b];
                        next[i][j][a][b] = t;
                        direct += integral[i][j][a][b] * both;
                        exchange += integral[i][j][b][a] * both;
                    }
            }
    }
    return 2 * direct - exchange;
}
#endif

static void molecule(int o, int v, double *e, double *t1, double *t2, double *ladder, double *integral)
{
    for (int p = 0; p < o + v; p++)
        e[p] = p < o ? -2 - 0.1 * (o - p) : 0.5 + 0.1 * (p - o);
    for (int k = 0; k < o * v; k++)
        t1[k] = 0.1 * (number(k) - 0.5);
    for (long k = 0; k < (long)o * o * v * v; k++) {
        t2[k] = 0.2 * (number(k + 5) - 0.4);
        integral[k] = 0.3 * number(k + 7);
    }
    for (long k = 0; k < (long)v * v * v * v; k++)
        ladder[k] = 0.1 * number(k + 3) / v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int o = (OCCUPIED >> args.shift / 2) & ~1, v = EMPTY >> args.shift / 2, oo = o * o, vv = v * v;
    double *e = NEW(double, o + v), *t1 = NEW(double, o * v), *t2 = NEW(double, oo * vv), *ladder = NEW(double, vv * vv), *integral = NEW(double, oo * vv),
           *tau = NEW(double, oo * vv), *r = NEW(double, oo * vv), *next = NEW(double, oo * vv), energy = 0, sum = 0;
    molecule(o, v, e, t1, t2, ladder, integral);
#pragma acc enter data copyin(e[0:o + v], t1[0:o * v], t2[0:oo * vv], ladder[0:vv * vv], integral[0:oo * vv]) \
    create(tau[0:oo * vv], r[0:oo * vv], next[0:oo * vv])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        energy = iterate(o, v, e, t1, t2, ladder, integral, tau, r, next);
#else
        energy = iterate(o, v, e, e + o, (void *)t1, (void *)t2, (void *)ladder, (void *)integral, (void *)tau, (void *)r, (void *)next);
#endif
    }
#pragma acc update self(next[0:oo * vv])
    for (int k = 0; k < oo * vv; k++)
        sum += next[k] * (1 + k % 3);
    report("ladder", t.best, sum + energy);
    return 0;
}
