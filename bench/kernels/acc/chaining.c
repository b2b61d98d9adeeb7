// Chains of anchors between long reads and a genome, as minimap2 makes them: 4096 reads of 512 sorted anchors each; the best score
// that ends in an anchor is the best of the 64 before it plus what is new, less the costs of gaps, and who that was.
#include "../kernels.h"

enum { READS = 4096, ANCHORS = 512, WINDOW = 64, SPAN = 15, FAR = 5000, BAND = 500, NONE = -1000000 };

#if SPELLING == 1
static void chain(int n, const int *restrict x, const int *restrict y, int *restrict score, int *restrict before)
{
#pragma acc parallel loop gang vector_length(64) present(x[0:n * ANCHORS], y[0:n * ANCHORS]) \
    present(score[0:n * ANCHORS], before[0:n * ANCHORS])
#pragma omp parallel for
    for (int r = 0; r < n; r++) {
        int first = r * ANCHORS;
#pragma acc loop seq
        for (int i = 0; i < ANCHORS; i++) {
            int most = SPAN, from = i > WINDOW ? i - WINDOW : 0, at = -1;
#pragma acc loop vector reduction(max : most)
            for (int j = from; j < i; j++) {
                int dx = x[first + i] - x[first + j], dy = y[first + i] - y[first + j];
                int gap = abs(dx - dy), least = dx < dy ? dx : dy, bits = 0;
                if (dy <= 0 || dx <= 0 || dy > FAR || dx > FAR || gap > BAND)
                    continue;
                while (gap >> bits > 1)
                    bits++;
                int s = score[first + j] + (least < SPAN ? least : SPAN) - (int)(gap * 0.15f) - bits / 2;
                most = s > most ? s : most;
            }
#pragma acc loop vector reduction(max : at)
            for (int j = from; j < i; j++) {
                int dx = x[first + i] - x[first + j], dy = y[first + i] - y[first + j];
                int gap = abs(dx - dy), least = dx < dy ? dx : dy, bits = 0;
                if (dy <= 0 || dx <= 0 || dy > FAR || dx > FAR || gap > BAND)
                    continue;
                while (gap >> bits > 1)
                    bits++;
                int s = score[first + j] + (least < SPAN ? least : SPAN) - (int)(gap * 0.15f) - bits / 2;
                if (s == most && s > SPAN && j > at)
                    at = j;
            }
            score[first + i] = most;
            before[first + i] = at;
        }
    }
}
#else
struct anchor { int x, y; };

#pragma acc routine seq
static int half_logarithm(unsigned v)
{
    int bits = -1;
    for (; v; v >>= 1)
        ++bits;
    return bits < 0 ? 0 : bits / 2;
}

#pragma acc routine seq
static int gain(struct anchor a, struct anchor b)
{
    const int dx = b.x - a.x, dy = b.y - a.y, gap = dx > dy ? dx - dy : dy - dx;
    if (dx < 1 || dy < 1 || dx > FAR || dy > FAR || gap > BAND)
        return NONE;
    int s = SPAN;
    s = dx < s ? dx : s;
    s = dy < s ? dy : s;
    return s - (int)(0.15f * gap) - half_logarithm(gap);
}

static void chain(size_t n, struct anchor (*anchors)[ANCHORS], int (*score)[ANCHORS], int (*before)[ANCHORS])
{
#pragma acc parallel loop gang vector vector_length(32) present(anchors[0:n], score[0:n], before[0:n])
#pragma omp parallel for
    for (size_t r = 0; r < n; ++r)
        for (int i = 0; i < ANCHORS; ++i) {
            const struct anchor here = anchors[r][i];
            int most = SPAN, at = -1;
            for (int j = i - 1; j >= 0 && j >= i - WINDOW; --j) {
                const int s = score[r][j] + gain(anchors[r][j], here);
                if (s > most) {
                    most = s;
                    at = j;
                }
            }
            score[r][i] = most;
            before[r][i] = at;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = READS >> args.shift, all = n * ANCHORS, *x = NEW(int, all), *y = NEW(int, all);
    int(*score)[ANCHORS] = (int(*)[ANCHORS])NEW(int, all), (*before)[ANCHORS] = (int(*)[ANCHORS])NEW(int, all);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        int noise = mix(k) % 4 == 0;
        x[k] = (k % ANCHORS ? x[k - 1] : 1000) + mix(k + all) % 40;
        y[k] = noise ? (int)(mix(k + 7) % 10000) : x[k] - 900 + (int)(mix(k / 32) % 60) - (int)(mix(k + 3) % 8);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:all], y[0:all]) create(score[0:n], before[0:n])
    while (lap(&t))
        chain(n, x, y, score[0], before[0]);
#else
    struct anchor(*anchors)[ANCHORS] = (struct anchor(*)[ANCHORS])NEW(struct anchor, all);
    for (int k = 0; k < all; k++)
        anchors[k / ANCHORS][k % ANCHORS] = (struct anchor){x[k], y[k]};
#pragma acc enter data copyin(anchors[0:n]) create(score[0:n], before[0:n])
    while (lap(&t))
        chain(n, anchors, score, before);
#endif
#pragma acc update self(score[0:n], before[0:n])
    for (int r = 0; r < n; r++)
        for (int i = 0; i < ANCHORS; i++)
            sum += score[r][i] + (i + 1) * 0.01 * before[r][i];
    report("chaining", t.best, sum);
    return 0;
}
