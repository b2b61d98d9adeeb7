// Local alignments of 8192 pairs of sequences of 128 letters with affine costs of gaps: a gang a pair, diagonal after diagonal in arrays of the
// gang; the best score of each.
#include "../kernels.h"

enum { PAIRS = 8192, LENGTH = 128, MATCH = 2, MISMATCH = -3, OPEN = 5, EXTEND = 2, LOW = -1000000 };

#if SPELLING == 1
static inline int max(int a, int b) { return a > b ? a : b; }

static void align(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict score)
{
#pragma acc parallel loop gang vector_length(128) present(a[0:n * LENGTH], b[0:n * LENGTH], score[0:n])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        int h[3][LENGTH + 1], e[2][LENGTH + 1], f[2][LENGTH + 1], best = 0;
#pragma acc loop vector
        for (int i = 0; i <= LENGTH; i++) {
            h[0][i] = h[1][i] = h[2][i] = 0;
            e[0][i] = e[1][i] = f[0][i] = f[1][i] = LOW;
        }
        for (int d = 0; d < 2 * LENGTH - 1; d++) {
            int now = d % 3, last = (d + 2) % 3, before = (d + 1) % 3, begin = max(0, d - LENGTH + 1), end = d < LENGTH ? d : LENGTH - 1;
#pragma acc loop vector reduction(max : best)
            for (int i = begin; i <= end; i++) {
                int same = a[s * LENGTH + i] == b[s * LENGTH + d - i];
                int left = max(e[(d + 1) % 2][i + 1] - EXTEND, h[last][i + 1] - OPEN);
                int up = max(f[(d + 1) % 2][i] - EXTEND, h[last][i] - OPEN);
                int here = max(max(0, h[before][i] + (same ? MATCH : MISMATCH)), max(left, up));
                h[now][i + 1] = here;
                e[d % 2][i + 1] = left;
                f[d % 2][i + 1] = up;
                best = max(best, here);
            }
        }
        score[s] = best;
    }
}
#else
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))

struct cell { int h, e, f; };
typedef unsigned char word[LENGTH];

static void align(size_t n, word *a, word *b, int *score)
{
#pragma acc parallel num_gangs(n) vector_length(128) present(a[0:n], b[0:n], score[0:n])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (size_t s = 0; s < n; ++s) {
            struct cell diagonal[3][LENGTH + 1];
            int most[LENGTH];
#pragma acc loop vector
            for (int i = 0; i <= LENGTH; ++i) {
                const struct cell outside = {0, LOW, LOW};
                diagonal[0][i] = diagonal[1][i] = diagonal[2][i] = outside;
                if (i < LENGTH)
                    most[i] = 0;
            }
            for (int d = 0; d < 2 * LENGTH - 1; ++d) {
                struct cell *now = diagonal[d % 3], *last = diagonal[(d + 2) % 3], *before = diagonal[(d + 1) % 3];
#pragma acc loop vector
                for (int i = MAX(0, d - LENGTH + 1); i < MIN(d + 1, LENGTH); ++i) {
                    struct cell c;
                    c.e = MAX(last[i + 1].e - EXTEND, last[i + 1].h - OPEN);
                    c.f = MAX(last[i].f - EXTEND, last[i].h - OPEN);
                    c.h = before[i].h + (a[s][i] == b[s][d - i] ? MATCH : MISMATCH);
                    c.h = MAX(c.h, c.e);
                    c.h = MAX(c.h, c.f);
                    c.h = MAX(c.h, 0);
                    now[i + 1] = c;
                    most[i] = MAX(most[i], c.h);
                }
            }
            int best = 0;
#pragma acc loop vector reduction(max : best)
            for (int i = 0; i < LENGTH; ++i)
                best = MAX(best, most[i]);
            score[s] = best;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PAIRS >> args.shift, all = n * LENGTH, *score = NEW(int, n);
    unsigned char *a = NEW(unsigned char, all), *b = NEW(unsigned char, all);
    double sum = 0;
    // the second is like the first, with letters changed, left out and put in
    for (int s = 0; s < n; s++)
        for (int i = 0, from = 0; i < LENGTH; i++) {
            unsigned chance = mix(s * LENGTH + i + 7) % 100;
            a[s * LENGTH + i] = mix(s * LENGTH + i) % 4;
            from += chance < 5 ? 2 : chance < 10 ? 0 : 1;
            b[s * LENGTH + i] = mix(chance < 20 ? chance + i : s * LENGTH + from) % 4;
        }
#pragma acc enter data copyin(a[0:all], b[0:all]) create(score[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        align(n, a, b, score);
#else
        align(n, (word *)a, (word *)b, score);
#endif
    }
#pragma acc update self(score[0:n])
    SUM(sum, score, n);
    report("gotoh", t.best, sum);
    return 0;
}
