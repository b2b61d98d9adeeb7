// Responsibilities of 16 diagonal Gaussians in 8 dimensions for 2^17 points, float: logarithms of densities in a private array, their
// largest taken off, exponentials and their sum.
#include "../kernels.h"

enum { POINTS = 1 << 17, PARTS = 16, DIMS = 8 };

#if SPELLING == 1
static void expect(int n, const float *restrict x, const float *restrict mean, const float *restrict inverse,
                   const float *restrict weight, float *restrict share, float *restrict likelihood)
{
#pragma acc parallel loop present(x[0:n * DIMS], mean[0:PARTS * DIMS], inverse[0:PARTS * DIMS], weight[0:PARTS]) \
    present(share[0:n * PARTS], likelihood[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float density[PARTS], most = -1e30f, sum = 0;
        for (int k = 0; k < PARTS; k++) {
            float d = weight[k];
            for (int c = 0; c < DIMS; c++) {
                float e = x[i * DIMS + c] - mean[k * DIMS + c];
                d -= 0.5f * e * e * inverse[k * DIMS + c];
            }
            density[k] = d;
            most = fmaxf(most, d);
        }
        for (int k = 0; k < PARTS; k++) {
            density[k] = expf(density[k] - most);
            sum += density[k];
        }
        for (int k = 0; k < PARTS; k++)
            share[i * PARTS + k] = density[k] / sum;
        likelihood[i] = most + logf(sum);
    }
}
#else
typedef float row[DIMS];

struct model {
    row mean[PARTS], inverse[PARTS];
    float weight[PARTS];
};

#pragma acc routine seq
static float log_density(const row x, const row mean, const row inverse)
{
    float d = 0;
    for (unsigned c = 0; c < DIMS; ++c)
        d += (x[c] - mean[c]) * (x[c] - mean[c]) * inverse[c];
    return -0.5f * d;
}

static void expect(unsigned long n, row *x, struct model *m, float (*share)[PARTS], float *likelihood)
{
#pragma acc parallel loop present(x[0:n], m[0:1], share[0:n], likelihood[0:n])
#pragma omp parallel for
    for (unsigned long i = 0; i < n; ++i) {
        float *own = share[i], most = -INFINITY, sum = 0;
        for (unsigned k = 0; k < PARTS; ++k) {
            own[k] = m->weight[k] + log_density(x[i], m->mean[k], m->inverse[k]);
            if (own[k] > most)
                most = own[k];
        }
        for (unsigned k = 0; k < PARTS; ++k)
            sum += own[k] = expf(own[k] - most);
        for (unsigned k = 0; k < PARTS; ++k)
            own[k] /= sum;
        likelihood[i] = most + logf(sum);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift;
    float *x = NEW(float, n *DIMS), *share = NEW(float, n *PARTS), *likelihood = NEW(float, n);
    float model[PARTS * DIMS * 2 + PARTS], *mean = model, *inverse = mean + PARTS * DIMS, *weight = inverse + PARTS * DIMS;
    double sum = 0;
    FILL(x, n * DIMS, 4);
    for (int k = 0; k < PARTS * DIMS; k++)
        mean[k] = 4 * number(k + 77), inverse[k] = 1 + number(k + 99);
    for (int k = 0; k < PARTS; k++)
        weight[k] = -3 + number(k);
#pragma acc enter data copyin(x[0:n * DIMS], model[0:PARTS * DIMS * 2 + PARTS]) create(share[0:n * PARTS], likelihood[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        expect(n, x, mean, inverse, weight, share, likelihood);
#else
        expect(n, (row *)x, (struct model *)model, (float (*)[PARTS])share, likelihood);
#endif
    }
#pragma acc update self(share[0:n * PARTS], likelihood[0:n])
    for (int k = 0; k < n * PARTS; k++)
        sum += share[k] * (1 + k % 7);
    SUM(sum, likelihood, n);
    report("mixture", t.best, sum);
    return 0;
}
