// Alignment of two sequences of 2048 letters by Needleman and Wunsch: a launch for each of 4095 diagonals.
#include "../kernels.h"

enum { N = 2048, GAP = 10 };

#if SPELLING == 1
static void align(int n, const int *restrict likeness, int *restrict score)
{
    int w = n + 1;
#pragma acc parallel loop async present(score[0:w * w])
#pragma omp parallel for
    for (int k = 0; k < w; k++) {
        score[k] = -GAP * k;
        score[k * w] = -GAP * k;
    }
    for (int d = 2; d <= 2 * n; d++) {
        int from = d > n ? d - n : 1, to = d > n ? n : d - 1;
#pragma acc parallel loop async present(likeness[0:w * w], score[0:w * w])
#pragma omp parallel for
        for (int i = from; i <= to; i++) {
            int j = d - i;
            int best = score[(i - 1) * w + j - 1] + likeness[i * w + j];
            int up = score[(i - 1) * w + j] - GAP, left = score[i * w + j - 1] - GAP;
            best = up > best ? up : best;
            score[i * w + j] = left > best ? left : best;
        }
    }
#pragma acc wait
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void align(size_t n, int *pl, int *ps)
{
    size_t w = n + 1;
    int(*likeness)[w] = (int(*)[w])pl, (*score)[w] = (int(*)[w])ps;
#pragma acc data present(likeness[0:w][0:w], score[0:w][0:w])
    {
#pragma acc parallel loop async(1)
#pragma omp parallel for
        for (size_t k = 0; k < w; k++)
            score[0][k] = score[k][0] = -GAP * (int)k;
        for (size_t d = 1; d < 2 * n; d++) {
            size_t many = d <= n ? d : 2 * n - d, top = d <= n ? 1 : d - n + 1;
#pragma acc kernels loop independent async(1)
#pragma omp parallel for
            for (size_t k = 0; k < many; k++) {
                size_t i = top + k, j = d + 1 - i;
                score[i][j] = MAX(score[i - 1][j - 1] + likeness[i][j],
                                  MAX(score[i - 1][j] - GAP, score[i][j - 1] - GAP));
            }
        }
#pragma acc wait(1)
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, w = n + 1, *likeness = NEW(int, w *w), *score = NEW(int, w *w);
    double sum = 0;
    for (int k = 0; k < w * w; k++)
        likeness[k] = (int)(mix(k) % 21) - 10;
#pragma acc enter data copyin(likeness[0:w * w]) create(score[0:w * w])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        align(n, likeness, score);
#pragma acc update self(score[0:w * w])
    SUM(sum, score, w *w);
    report("wavefront", t.best, sum);
    return 0;
}
