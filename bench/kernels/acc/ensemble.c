// Data assimilation by an ensemble Kalman filter in the space of its 16 members, double: at each of 2^15 points a matrix of 16 x 16 from 20 observations near
// by, its Cholesky factor, 17 right sides, and the analysis of eight variables with half the gain for deviations.
#include "../kernels.h"

enum { POINTS = 1 << 15, OBSERVATIONS = 4096, K = 16, NEAR = 20, VARIABLES = 8, SIDES = K + 1 };

#if SPELLING == 1
static void analyse(int n, const int *restrict near, const double *restrict weight, const double *restrict y, const double *restrict departure,
                    const double *restrict x, double *restrict next)
{
#pragma acc parallel loop gang vector_length(128)                                                                                                     \
    present(near[0:n * NEAR], weight[0:n * NEAR], y[0:OBSERVATIONS * K], departure[0:OBSERVATIONS], x[0:n * VARIABLES * K], next[0:n * VARIABLES * K])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        double a[K * K], w[K * SIDES], mean[VARIABLES];
#pragma acc loop vector
        for (int e = 0; e < K * K; e++)
            a[e] = 0;
#pragma acc loop vector
        for (int e = 0; e < K * SIDES; e++)
            w[e] = 0;
#pragma acc loop seq
        for (int l = 0; l < NEAR; l++) {
            int o = near[p * NEAR + l];
            double certain = weight[p * NEAR + l];
#pragma acc loop vector collapse(2)
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                    a[i * K + j] += certain * y[o * K + i] * y[o * K + j];
#pragma acc loop vector
            for (int i = 0; i < K; i++)
                w[i * SIDES + K] += certain * y[o * K + i] * departure[o];
        }
#pragma acc loop vector collapse(2)
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
                w[i * SIDES + j] = a[i * K + j];
#pragma acc loop vector
        for (int i = 0; i < K; i++)
            a[i * K + i] += K - 1;

        // Cholesky: each column changes those to its right.
#pragma acc loop seq
        for (int k = 0; k < K; k++) {
            double pivot = sqrt(a[k * K + k]);
#pragma acc loop vector
            for (int i = k; i < K; i++)
                a[i * K + k] = i == k ? pivot : a[i * K + k] / pivot;
#pragma acc loop vector collapse(2)
            for (int i = k + 1; i < K; i++)
                for (int j = k + 1; j < K; j++)
                    if (j <= i)
                        a[i * K + j] -= a[i * K + k] * a[j * K + k];
        }
#pragma acc loop vector
        for (int c = 0; c < SIDES; c++) {
            for (int i = 0; i < K; i++) {
                for (int j = 0; j < i; j++)
                    w[i * SIDES + c] -= a[i * K + j] * w[j * SIDES + c];
                w[i * SIDES + c] /= a[i * K + i];
            }
            for (int i = K - 1; i >= 0; i--) {
                for (int j = i + 1; j < K; j++)
                    w[i * SIDES + c] -= a[j * K + i] * w[j * SIDES + c];
                w[i * SIDES + c] /= a[i * K + i];
            }
        }
#pragma acc loop vector
        for (int v = 0; v < VARIABLES; v++) {
            mean[v] = 0;
            for (int m = 0; m < K; m++)
                mean[v] += x[(p * VARIABLES + v) * K + m] / K;
        }
#pragma acc loop vector collapse(2)
        for (int v = 0; v < VARIABLES; v++)
            for (int m = 0; m < K; m++) {
                double sum = x[(p * VARIABLES + v) * K + m];
                for (int k = 0; k < K; k++)
                    sum += (x[(p * VARIABLES + v) * K + k] - mean[v]) * (w[k * SIDES + K] - 0.5 * w[k * SIDES + m]);
                next[(p * VARIABLES + v) * K + m] = sum;
            }
    }
}
#else
struct observation { double members[K], departure; };
struct close { int which; double weight; };

typedef double state[VARIABLES][K];

// With the inverse of the matrix in the place of its factor.
static void analyse(size_t n, struct close (*near)[NEAR], struct observation *seen, state *x, state *next)
{
#pragma acc parallel present(near[0:n], seen[0:OBSERVATIONS], x[0:n], next[0:n]) vector_length(32) num_workers(1)
#pragma acc loop gang
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
        double a[K][K + 1], own[NEAR][K], departure[NEAR], right[K], gain[K], diagonal[K];
#pragma acc loop vector collapse(2)
        for (unsigned l = 0; l < NEAR; ++l)
            for (unsigned i = 0; i < K; ++i)
                own[l][i] = sqrt(near[p][l].weight) * seen[near[p][l].which].members[i];
#pragma acc loop vector
        for (unsigned l = 0; l < NEAR; ++l)
            departure[l] = sqrt(near[p][l].weight) * seen[near[p][l].which].departure;
#pragma acc loop vector collapse(2)
        for (unsigned i = 0; i < K; ++i)
            for (unsigned j = 0; j < K; ++j) {
                double sum = i == j ? K - 1 : 0;
                for (unsigned l = 0; l < NEAR; ++l)
                    sum += own[l][i] * own[l][j];
                a[i][j] = sum;
            }
#pragma acc loop vector
        for (unsigned i = 0; i < K; ++i) {
            double sum = 0;
            for (unsigned l = 0; l < NEAR; ++l)
                sum += own[l][i] * departure[l];
            right[i] = sum;
        }

        // The inverse in place by Gauss and Jordan, which a positive matrix allows without pivots.
        for (unsigned k = 0; k < K; ++k) {
            double inverse = 1 / a[k][k];
#pragma acc loop vector
            for (unsigned i = 0; i < K; ++i) {
                gain[i] = a[i][k];
                diagonal[i] = i == k ? inverse : a[k][i] * inverse;
            }
#pragma acc loop vector collapse(2)
            for (unsigned i = 0; i < K; ++i)
                for (unsigned j = 0; j < K; ++j)
                    a[i][j] = i == k ? diagonal[j] : j == k ? -gain[i] * inverse : a[i][j] - gain[i] * diagonal[j];
        }
#pragma acc loop vector
        for (unsigned i = 0; i < K; ++i) {
            double sum = 0;
            for (unsigned j = 0; j < K; ++j)
                sum += a[i][j] * right[j];
            gain[i] = sum;
        }
#pragma acc loop vector collapse(2)
        for (unsigned v = 0; v < VARIABLES; ++v)
            for (unsigned m = 0; m < K; ++m) {
                double mean = 0, toward = 0, along = 0;
                for (unsigned k = 0; k < K; ++k)
                    mean += x[p][v][k];
                mean /= K;
                for (unsigned k = 0; k < K; ++k) {
                    toward += (x[p][v][k] - mean) * gain[k];
                    along += (x[p][v][k] - mean) * a[k][m];
                }
                next[p][v][m] = x[p][v][m] + toward - 0.5 * (x[p][v][m] - mean - (K - 1) * along);
            }
    }
}
#endif

static void forecast(int n, int *near, double *weight, double *y, double *departure, double *x)
{
    for (int p = 0; p < n; p++)
        for (int l = 0; l < NEAR; l++) {
            near[p * NEAR + l] = (p / 8 + mix(p * NEAR + l) % 64) % OBSERVATIONS;
            weight[p * NEAR + l] = 0.1 + number(p + 77 * l);
        }
    for (int o = 0; o < OBSERVATIONS; o++) {
        double mean = 0;
        for (int m = 0; m < K; m++)
            mean += number(o * K + m) / K;
        for (int m = 0; m < K; m++)
            y[o * K + m] = 3 * (number(o * K + m) - mean);
        departure[o] = number(o + 3000001) - 0.5;
    }
    FILL(x, n * VARIABLES * K, 10);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, all = n * VARIABLES * K, *near = NEW(int, n * NEAR);
    double *weight = NEW(double, n * NEAR), *y = NEW(double, OBSERVATIONS * K), *departure = NEW(double, OBSERVATIONS), *x = NEW(double, all),
           *next = NEW(double, all), sum = 0;
    forecast(n, near, weight, y, departure, x);
#pragma acc enter data copyin(x[0:all]) create(next[0:all])
#if SPELLING == 1
#pragma acc enter data copyin(near[0:n * NEAR], weight[0:n * NEAR], y[0:OBSERVATIONS * K], departure[0:OBSERVATIONS])
#else
    struct close *list = NEW(struct close, n * NEAR);
    struct observation *seen = NEW(struct observation, OBSERVATIONS);
    for (int l = 0; l < n * NEAR; l++)
        list[l] = (struct close){near[l], weight[l]};
    for (int o = 0; o < OBSERVATIONS; o++) {
        for (int m = 0; m < K; m++)
            seen[o].members[m] = y[o * K + m];
        seen[o].departure = departure[o];
    }
#pragma acc enter data copyin(list[0:n * NEAR], seen[0:OBSERVATIONS])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        analyse(n, near, weight, y, departure, x, next);
#else
        analyse(n, (void *)list, seen, (void *)x, (void *)next);
#endif
    }
#pragma acc update self(next[0:all])
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("ensemble", t.best, sum);
    return 0;
}
