// Kendall's rank correlations (tau-b, with ties) of all pairs of 64 variables in 2048 samples, float: each pair of
// samples counts for or against a pair of variables, or is a tie.
#include "../kernels.h"

enum { VARIABLES = 64, SAMPLES = 2048, PAIRS = VARIABLES * (VARIABLES - 1) / 2 };

#if SPELLING == 1
static void correlate(int n, const float *restrict x, int *restrict ties, double *restrict tau)
{
#pragma acc data present(x[0:VARIABLES * n], ties[0:VARIABLES], tau[0:VARIABLES * VARIABLES])
    {
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int a = 0; a < VARIABLES; a++) {
            int same = 0;
#pragma acc loop vector reduction(+ : same)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                    same += x[a * n + i] == x[a * n + j];
            ties[a] = same;
        }
#pragma acc parallel loop gang collapse(2)
#pragma omp parallel for collapse(2) schedule(dynamic)
        for (int a = 0; a < VARIABLES; a++)
            for (int b = 0; b < VARIABLES; b++) {
                if (b >= a)
                    continue;
                int score = 0;
                double all = 0.5 * n * (n - 1);
#pragma acc loop vector reduction(+ : score)
                for (int i = 0; i < n; i++) {
                    float p = x[a * n + i], q = x[b * n + i];
                    for (int j = 0; j < i; j++) {
                        float u = x[a * n + j], v = x[b * n + j];
                        score += ((p > u) - (p < u)) * ((q > v) - (q < v));
                    }
                }
                tau[a * VARIABLES + b] = score / sqrt((all - ties[a]) * (all - ties[b]));
            }
    }
}
#else
#define LATER(i, n) for (size_t i = 1; i < (n); ++i)
#define EARLIER(j, i) for (size_t j = 0; j != (i); ++j)

static inline int order(float a, float b) { return a < b ? -1 : a > b; }

static void correlate(size_t n, float *x, int *ties, double *tau)
{
#pragma acc kernels present(x[0:VARIABLES * n], ties[0:VARIABLES])
#pragma acc loop independent gang
#pragma omp parallel for
    for (size_t a = 0; a < VARIABLES; ++a) {
        const float *column = x + a * n;
        int same = 0;
#pragma acc loop independent vector reduction(+ : same)
        LATER(i, n)
        {
            EARLIER(j, i)
            if (order(column[i], column[j]) == 0)
                ++same;
        }
        ties[a] = same;
    }
#pragma acc parallel loop gang vector_length(256) present(x[0:VARIABLES * n], ties[0:VARIABLES]) \
    present(tau[0:VARIABLES * VARIABLES])
#pragma omp parallel for schedule(dynamic)
    for (size_t pair = 0; pair < PAIRS; ++pair) {
        size_t a = 1, b = pair;
        while (b >= a)
            b -= a++;
        const float *one = x + a * n, *other = x + b * n;
        unsigned with = 0, against = 0;
#pragma acc loop vector reduction(+ : with, against)
        LATER(i, n)
        EARLIER(j, i)
        {
            int s = order(one[i], one[j]) * order(other[i], other[j]);
            with += s > 0;
            against += s < 0;
        }
        double all = 0.5 * n * (n - 1);
        tau[a * VARIABLES + b] = ((double)with - against) / (sqrt(all - ties[a]) * sqrt(all - ties[b]));
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, *ties = NEW(int, VARIABLES);
    float *x = NEW(float, VARIABLES * n);
    double *tau = NEW(double, VARIABLES * VARIABLES), sum = 0;
    for (int a = 0; a < VARIABLES; a++)
        for (int i = 0; i < n; i++)
            x[a * n + i] = floor(40 * number(i) + 4 * a * number(a * n + i)) / 16;
#pragma acc enter data copyin(x[0:VARIABLES * n]) create(ties[0:VARIABLES], tau[0:VARIABLES * VARIABLES])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        correlate(n, x, ties, tau);
#pragma acc update self(tau[0:VARIABLES * VARIABLES])
    for (int a = 1; a < VARIABLES; a++)
        for (int b = 0; b < a; b++)
            sum += tau[a * VARIABLES + b] * (1 + b % 7);
    report("kendall", t.best, sum);
    return 0;
}
