// 16 moves of electrons in 1024 walkers, double: the ratio of determinants of 64 orbitals from a column of the inverse, and where the move is
// taken the inverse after it by Sherman and Morrison's formula; a gang a walker.
#include "../kernels.h"

enum { WALKERS = 1024, N = 64, MOVES = 16 };

#if SPELLING == 1
static long move(int walkers, const double *restrict start, const double *restrict orbital, const double *restrict chance,
                 double *restrict inverse, double *restrict amplitude)
{
    long taken = 0;
#pragma acc parallel loop gang vector_length(128) reduction(+ : taken) \
    present(start[0:walkers * N * N], orbital[0:walkers * MOVES * N], chance[0:walkers * MOVES], inverse[0:walkers * N * N], amplitude[0:walkers])
#pragma omp parallel for reduction(+ : taken)
    for (int w = 0; w < walkers; w++) {
        double column[N], row[N], all = 0;
#pragma acc loop vector
        for (int k = 0; k < N * N; k++)
            inverse[w * N * N + k] = start[w * N * N + k];
#pragma acc loop seq
        for (int m = 0; m < MOVES; m++) {
            int e = (w + 5 * m) % N;
            double ratio = 0;
#pragma acc loop vector reduction(+ : ratio)
#pragma omp simd reduction(+ : ratio)
            for (int i = 0; i < N; i++)
                ratio += orbital[(w * MOVES + m) * N + i] * inverse[(w * N + i) * N + e];
            if (ratio * ratio > chance[w * MOVES + m]) {
#pragma acc loop vector
                for (int j = 0; j < N; j++) {
                    double sum = 0;
                    for (int i = 0; i < N; i++)
                        sum += orbital[(w * MOVES + m) * N + i] * inverse[(w * N + i) * N + j];
                    row[j] = j == e ? 1 - 1 / ratio : sum / ratio;
                    column[j] = inverse[(w * N + j) * N + e];
                }
#pragma acc loop vector collapse(2)
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < N; j++)
                        inverse[(w * N + i) * N + j] -= column[i] * row[j];
                all += log(fabs(ratio));
                taken++;
            }
        }
        amplitude[w] = all;
    }
    return taken;
}
#else
typedef double matrix[N][N];

#pragma acc routine vector
static double ratio_of(const double *phi, matrix a, unsigned e)
{
    double r = 0;
#pragma acc loop vector reduction(+ : r)
    for (unsigned i = 0; i < N; ++i)
        r += phi[i] * a[i][e];
    return r;
}

// The update of a matrix whose row `e` is phi from now on; the lanes have a column each.
#pragma acc routine vector
static void update(const double *phi, matrix a, unsigned e, double ratio)
{
    double column[N];
#pragma acc loop vector
    for (unsigned i = 0; i < N; ++i)
        column[i] = a[i][e] / ratio;
#pragma acc loop vector
    for (unsigned j = 0; j < N; ++j) {
        double sum = j == e ? -1 : 0;
        for (unsigned i = 0; i < N; ++i)
            sum += phi[i] * a[i][j];
#pragma acc loop seq
        for (unsigned i = 0; i < N; ++i)
            a[i][j] -= column[i] * sum;
    }
}

static long move(size_t walkers, matrix *start, double (*orbital)[MOVES][N], double (*chance)[MOVES], matrix *inverse, double *amplitude)
{
    long taken = 0;
#pragma acc parallel num_workers(1) vector_length(64) reduction(+ : taken) \
    present(start[0:walkers], orbital[0:walkers], chance[0:walkers], inverse[0:walkers], amplitude[0:walkers])
#pragma acc loop gang
#pragma omp parallel for reduction(+ : taken)
    for (size_t w = 0; w < walkers; ++w) {
        double *mine = &inverse[w][0][0], *first = &start[w][0][0], product = 1;
#pragma acc loop vector
        for (size_t k = 0; k < N * N; ++k)
            mine[k] = first[k];
        for (size_t m = 0; m < MOVES; ++m) {
            const double *phi = orbital[w][m];
            unsigned e = (w + 5 * m) % N;
            double ratio = ratio_of(phi, inverse[w], e);
            if (ratio * ratio <= chance[w][m])
                continue;
            update(phi, inverse[w], e, ratio);
            product *= ratio;
            ++taken;
        }
        amplitude[w] = log(fabs(product));
    }
    return taken;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int walkers = WALKERS >> args.shift, all = walkers * N * N, phis = walkers * MOVES * N, tries = walkers * MOVES;
    double *start = NEW(double, all), *inverse = NEW(double, all), *orbital = NEW(double, phis), *chance = NEW(double, tries);
    double *amplitude = NEW(double, walkers), sum = 0;
    long taken = 0;
    for (int k = 0; k < all; k++)
        start[k] = (k % N == k / N % N) + 0.1 * (number(k) - 0.5);
    for (int k = 0; k < phis; k++) {
        int w = k / N / MOVES, m = k / N % MOVES;
        orbital[k] = (k % N == (w + 5 * m) % N) + 0.2 * (number(3 * k) - 0.5);
    }
    for (int k = 0; k < tries; k++)
        chance[k] = 0.3 + number(k + 7);
#pragma acc enter data copyin(start[0:all], orbital[0:phis], chance[0:tries]) create(inverse[0:all], amplitude[0:walkers])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        taken = move(walkers, start, orbital, chance, inverse, amplitude);
#else
        taken = move(walkers, (matrix *)start, (double(*)[MOVES][N])orbital, (double(*)[MOVES])chance, (matrix *)inverse, amplitude);
#endif
    }
#pragma acc update self(inverse[0:all], amplitude[0:walkers])
    for (int k = 0; k < all; k++)
        sum += inverse[k] * (1 + k % 3);
    for (int w = 0; w < walkers; w++)
        sum += fabs(amplitude[w]);
    report("slater", t.best, sum + taken);
    return 0;
}
