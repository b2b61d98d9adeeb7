// A Lanczos step for a ring of 22 quantum spins with couplings of their own, double: the Hamiltonian times a vector of
// 2^22 amplitudes without a matrix (a bond flips two spins that differ), less the vector before, and the product with
// the first.
#include "../kernels.h"

enum { SPINS = 22 };

#if SPELLING == 1
static double apply(int spins, const double *restrict coupling, double beta, const double *restrict v,
                    const double *restrict last, double *restrict w)
{
    int states = 1 << spins;
    double alpha = 0;
#pragma acc parallel loop present(coupling[0:spins], v[0:states], last[0:states], w[0:states]) reduction(+ : alpha)
#pragma omp parallel for reduction(+ : alpha)
    for (int s = 0; s < states; s++) {
        double diagonal = 0, sum = 0;
        for (int b = 0; b < spins; b++) {
            int other = (b + 1) % spins;
            if ((s >> b & 1) == (s >> other & 1))
                diagonal += 0.25 * coupling[b];
            else {
                diagonal -= 0.25 * coupling[b];
                sum += 0.5 * coupling[b] * v[s ^ (1 << b) ^ (1 << other)];
            }
        }
        w[s] = diagonal * v[s] + sum - beta * last[s];
        alpha += v[s] * w[s];
    }
    return alpha;
}
#else
#include <stdint.h>

typedef uint64_t state;

static inline int differ(state s, state mask) { return (s & mask) != 0 && (s & mask) != mask; }

static double apply(unsigned spins, double *coupling, double beta, double *v, double *last, double *w)
{
    const state states = (state)1 << spins;
    double alpha = 0;
#pragma acc parallel present(coupling[0:spins], v[0:states], last[0:states], w[0:states])
#pragma acc loop gang vector reduction(+ : alpha)
#pragma omp parallel for reduction(+ : alpha)
    for (state s = 0; s < states; ++s) {
        double sum = -beta * last[s];
        const double *j = coupling;
        for (state mask = 3; mask < states; mask <<= 1, ++j)
            sum += differ(s, mask) ? 0.5 * *j * v[s ^ mask] - 0.25 * *j * v[s] : 0.25 * *j * v[s];
        const state around = 1 | states >> 1;
        sum += differ(s, around) ? 0.5 * *j * v[s ^ around] - 0.25 * *j * v[s] : 0.25 * *j * v[s];
        alpha += v[s] * sum;
        w[s] = sum;
    }
    return alpha;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int spins = SPINS - args.shift, states = 1 << spins;
    double *coupling = NEW(double, spins), *v = NEW(double, states), *last = NEW(double, states),
           *w = NEW(double, states);
    double alpha = 0, sum = 0;
    for (int b = 0; b < spins; b++)
        coupling[b] = 0.5 + number(b);
    for (int s = 0; s < states; s++) {
        v[s] = number(2 * s);
        last[s] = number(2 * s + 1) - 0.5;
    }
#pragma acc enter data copyin(coupling[0:spins], v[0:states], last[0:states]) create(w[0:states])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        alpha = apply(spins, coupling, 0.7, v, last, w);
#pragma acc update self(w[0:states])
    for (int s = 0; s < states; s++)
        sum += fabs(w[s]);
    report("heisenberg", t.best, sum + fabs(alpha));
    return 0;
}
