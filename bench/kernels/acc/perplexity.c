// The widths of Gaussians as t-SNE wants them, double: for each of 16384 points that one which gives its 192 nearest neighbours a perplexity of 30, by
// bisection, and the probabilities of the neighbours under it.
#include "../kernels.h"

enum { POINTS = 16384, NEAREST = 192, TRIES = 80 };
#define PERPLEXITY 30.0
#define TOLERANCE 1e-10

#if SPELLING == 1
static void search(int n, const double *restrict distance, double *restrict p, double *restrict width)
{
    double wanted = log(PERPLEXITY);
#pragma acc parallel loop gang vector_length(64) present(distance[0:n * NEAREST], p[0:n * NEAREST], width[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double beta = 1, low = 0, high = -1, total = 0;
        for (int k = 0; k < TRIES; k++) {
            double mean = 0;
            total = 0;
#pragma acc loop vector reduction(+ : total, mean)
#pragma omp simd reduction(+ : total, mean)
            for (int j = 0; j < NEAREST; j++) {
                double d = distance[i * NEAREST + j], e = exp(-beta * d);
                total += e;
                mean += d * e;
            }
            double over = log(total) + beta * mean / total - wanted;
            if (fabs(over) < TOLERANCE)
                break;
            if (over > 0) {
                low = beta;
                beta = high < 0 ? 2 * beta : 0.5 * (beta + high);
            } else {
                high = beta;
                beta = 0.5 * (beta + low);
            }
        }
#pragma acc loop vector
#pragma omp simd
        for (int j = 0; j < NEAREST; j++)
            p[i * NEAREST + j] = exp(-beta * distance[i * NEAREST + j]) / total;
        width[i] = beta;
    }
}
#else
struct gaussian { double beta, total, entropy; };

// All lanes of a gang work on the neighbours of one point.
#pragma acc routine vector
static void weigh(const double *row, double beta, struct gaussian *g)
{
    double total = 0, mean = 0;
#pragma acc loop vector reduction(+ : total) reduction(+ : mean)
    for (unsigned j = 0; j < NEAREST; ++j) {
        double e = exp(-beta * row[j]);
        total += e;
        mean += row[j] * e;
    }
    g->beta = beta;
    g->total = total;
    g->entropy = log(total) + beta * mean / total;
}

static void search(size_t n, double *distance, double *p, double *width)
{
    const double wanted = log(PERPLEXITY);
#pragma acc parallel present(distance[0:n * NEAREST], p[0:n * NEAREST], width[0:n]) vector_length(32)
    {
#pragma acc loop gang
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            const double *row = distance + i * NEAREST;
            struct gaussian g;
            double low = 0, high = 2;
            weigh(row, high, &g);
            while (g.entropy > wanted) {
                low = high;
                high *= 2;
                weigh(row, high, &g);
            }
            int tries = 0;
            do {
                weigh(row, 0.5 * (low + high), &g);
                if (g.entropy > wanted)
                    low = g.beta;
                else
                    high = g.beta;
            } while (fabs(g.entropy - wanted) >= TOLERANCE && ++tries < TRIES);
            const double factor = 1 / g.total, beta = g.beta;
#pragma acc loop vector
            for (size_t j = 0; j < NEAREST; ++j)
                p[i * NEAREST + j] = factor * exp(-beta * row[j]);
            width[i] = beta;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, all = n * NEAREST;
    double *distance = NEW(double, all), *p = NEW(double, all), *width = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < NEAREST; j++)
            distance[i * NEAREST + j] = (1 + 3 * number(i + 31)) * (0.02 * j + 0.5 * number(i * NEAREST + j));
#pragma acc enter data copyin(distance[0:all]) create(p[0:all], width[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        search(n, distance, p, width);
#pragma acc update self(p[0:all], width[0:n])
    for (int k = 0; k < all; k++)
        sum += p[k] * (1 + k % 7);
    SUM(sum, width, n);
    report("perplexity", t.best, sum);
    return 0;
}
