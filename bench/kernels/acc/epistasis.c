// Pairs of 1024 genes' variants that together tell 2048 cases from 2048 controls: for each pair how often each of the nine combinations
// stands in both classes, by counting bits, and a Bayesian score of these counts, double; all scores, and the least.
#include "../kernels.h"
#include <float.h>
#include <stdint.h>

enum { VARIANTS = 1024, WORDS = 64, SAMPLES = 32 * WORDS };

#if SPELLING == 1
static double pairs(int m, const unsigned *restrict cases, const unsigned *restrict controls, const double *restrict lg, double *restrict score)
{
    double best = DBL_MAX;
#pragma acc parallel loop collapse(2) reduction(min : best) present(cases[0:2 * WORDS * m], controls[0:2 * WORDS * m]) \
    present(lg[0:2 * SAMPLES + 2], score[0:m * m])
#pragma omp parallel for reduction(min : best)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            if (j <= i)
                continue;
            int count[2][9] = {{0}};
            for (int c = 0; c < 2; c++) {
                const unsigned *bits = c ? controls : cases;
                for (int w = 0; w < WORDS; w++) {
                    unsigned a[3] = {bits[w * m + i], bits[(WORDS + w) * m + i]}, b[3] = {bits[w * m + j], bits[(WORDS + w) * m + j]};
                    a[2] = ~(a[0] | a[1]);
                    b[2] = ~(b[0] | b[1]);
                    for (int x = 0; x < 3; x++)
                        for (int y = 0; y < 3; y++)
                            count[c][x * 3 + y] += __builtin_popcount(a[x] & b[y]);
                }
            }
            double sum = 0;
            for (int k = 0; k < 9; k++)
                sum += lg[count[0][k] + count[1][k] + 1] - lg[count[0][k]] - lg[count[1][k]];
            score[i * m + j] = sum;
            best = fmin(best, sum);
        }
    return best;
}
#else
// Samples with none, one and both copies.
struct split { uint64_t none, one, both; };

static inline struct split load(const uint64_t *plane, size_t m, size_t w, size_t i)
{
    struct split s = {plane[w * m + i], plane[(WORDS / 2 + w) * m + i], 0};
    s.both = ~(s.none | s.one);
    return s;
}

#define COUNT(row, a, b)                              \
    count[(row) + 0] += __builtin_popcountll(a & b.none); \
    count[(row) + 1] += __builtin_popcountll(a & b.one);  \
    count[(row) + 2] += __builtin_popcountll(a & b.both)

static void combinations(unsigned *count, const uint64_t *planes, size_t m, size_t i, size_t j)
{
    for (int k = 0; k < 9; ++k)
        count[k] = 0;
    for (size_t w = 0; w < WORDS / 2; ++w) {
        const struct split a = load(planes, m, w, i), b = load(planes, m, w, j);
        COUNT(0, a.none, b);
        COUNT(3, a.one, b);
        COUNT(6, a.both, b);
    }
}

static double pairs(size_t m, uint64_t *cases, uint64_t *controls, double *lg, double *score)
{
    double best = DBL_MAX;
#pragma acc parallel loop gang reduction(min : best) present(cases[0:WORDS * m], controls[0:WORDS * m], lg[0:2 * SAMPLES + 2], score[0:m * m])
#pragma omp parallel for reduction(min : best)
    for (size_t i = 0; i < m; ++i)
#pragma acc loop vector reduction(min : best)
        for (size_t j = i + 1; j < m; ++j) {
            unsigned in_cases[9], in_controls[9];
            combinations(in_cases, cases, m, i, j);
            combinations(in_controls, controls, m, i, j);
            double sum = 0;
            for (int k = 0; k < 9; ++k)
                sum += lg[in_cases[k] + in_controls[k] + 1] - lg[in_cases[k]] - lg[in_controls[k]];
            score[i * m + j] = sum;
            best = best < sum ? best : sum;
        }
    return best;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = VARIANTS >> (args.shift + 1) / 2, all = 2 * WORDS * m;
    unsigned *cases = NEW(unsigned, all), *controls = NEW(unsigned, all);
    double *lg = NEW(double, 2 * SAMPLES + 2), *score = NEW(double, m *m), best = 0, sum = 0;
    for (int k = 0; k < 2 * SAMPLES + 2; k++)
        lg[k] = lgamma(k + 1.0);
    for (int k = 0; k < m * m; k++)
        score[k] = 0;
    for (int k = 0; k < WORDS * m; k++) {
        unsigned one = mix(k + 1) & mix(k + 2), other = mix(k + 3) & mix(k + 4);
        cases[k] = mix(k) & ~one;
        cases[WORDS * m + k] = one;
        controls[k] = mix(k + 5) & ~other;
        controls[WORDS * m + k] = other;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(cases[0:all], controls[0:all], lg[0:2 * SAMPLES + 2], score[0:m * m])
    while (lap(&t))
        best = pairs(m, cases, controls, lg, score);
#else
    uint64_t *wide_cases = NEW(uint64_t, all / 2), *wide_controls = NEW(uint64_t, all / 2);
    for (int k = 0; k < all / 2; k++) {
        int at = k / m * 2 * m + k % m;
        wide_cases[k] = (uint64_t)cases[at + m] << 32 | cases[at];
        wide_controls[k] = (uint64_t)controls[at + m] << 32 | controls[at];
    }
#pragma acc enter data copyin(wide_cases[0:all / 2], wide_controls[0:all / 2], lg[0:2 * SAMPLES + 2], score[0:m * m])
    while (lap(&t))
        best = pairs(m, wide_cases, wide_controls, lg, score);
#endif
#pragma acc update self(score[0:m * m])
    SUM(sum, score, m * m);
    report("epistasis", t.best, sum + best);
    return 0;
}
