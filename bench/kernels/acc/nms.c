// Which of 1024 boxes in each of 128 pictures stay when boxes that a better one covers by half are dropped: words of bits say who covers whom, then
// the boxes of a picture are gone through in order.
#include "../kernels.h"

enum { PICTURES = 128, BOXES = 1024, WORDS = BOXES / 64 };

#if SPELLING == 1
typedef unsigned long long word;

static void keep(int n, const float *restrict x0, const float *restrict y0, const float *restrict x1, const float *restrict y1, word *restrict covers,
                 unsigned char *restrict kept)
{
#pragma acc data present(x0[0:n * BOXES], y0[0:n * BOXES], x1[0:n * BOXES], y1[0:n * BOXES], covers[0:n * BOXES * WORDS], kept[0:n * BOXES])
    {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int p = 0; p < n; p++)
            for (int i = 0; i < BOXES; i++)
                for (int w = 0; w < WORDS; w++) {
                    int a = p * BOXES + i;
                    float area = (x1[a] - x0[a]) * (y1[a] - y0[a]);
                    word bits = 0;
                    for (int j = i + 1 > w * 64 ? i + 1 : w * 64; j < w * 64 + 64; j++) {
                        int b = p * BOXES + j;
                        float width = fminf(x1[a], x1[b]) - fmaxf(x0[a], x0[b]), height = fminf(y1[a], y1[b]) - fmaxf(y0[a], y0[b]);
                        float common = fmaxf(width, 0) * fmaxf(height, 0);
                        if (common > 0.5f * (area + (x1[b] - x0[b]) * (y1[b] - y0[b]) - common))
                            bits |= 1ull << (j - w * 64);
                    }
                    covers[a * WORDS + w] = bits;
                }
#pragma acc parallel loop gang vector_length(32)
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            word dropped[WORDS];
#pragma acc loop seq
            for (int w = 0; w < WORDS; w++)
                dropped[w] = 0;
#pragma acc loop seq
            for (int i = 0; i < BOXES; i++) {
                int stays = !(dropped[i / 64] >> i % 64 & 1);
                kept[p * BOXES + i] = stays;
                if (stays) {
#pragma acc loop vector
                    for (int w = 0; w < WORDS; w++)
                        dropped[w] |= covers[(p * BOXES + i) * WORDS + w];
                }
            }
        }
    }
}
#else
struct box { float x0, y0, x1, y1; };

static float area(struct box b) { return b.x1 > b.x0 && b.y1 > b.y0 ? (b.x1 - b.x0) * (b.y1 - b.y0) : 0; }

static int covered(const struct box *a, const struct box *b)
{
    struct box both = {fmaxf(a->x0, b->x0), fmaxf(a->y0, b->y0), fminf(a->x1, b->x1), fminf(a->y1, b->y1)};
    float common = area(both);
    return common > 0.5f * (area(*a) + area(*b) - common);
}

static void keep(size_t n, struct box (*box)[BOXES], unsigned char (*kept)[BOXES])
{
#pragma acc parallel loop gang vector_length(256) present(box[0:n], kept[0:n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
#pragma acc loop vector
        for (size_t i = 0; i < BOXES; ++i)
            kept[p][i] = 1;
#pragma acc loop seq
        for (size_t i = 0; i < BOXES; ++i) {
            if (!kept[p][i])
                continue;
#pragma acc loop vector
            for (size_t j = i + 1; j < BOXES; ++j)
                if (covered(&box[p][i], &box[p][j]))
                    kept[p][j] = 0;
        }
    }
}
#endif

static void corners(int k, float at[4])
{
    at[0] = (float)(mix(k) % 600);
    at[1] = (float)(mix(k + 1000003) % 400);
    at[2] = at[0] + (float)(40 + mix(k + 2000003) % 80);
    at[3] = at[1] + (float)(40 + mix(k + 3000017) % 80);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PICTURES >> args.shift, all = n * BOXES;
    unsigned char *kept = NEW(unsigned char, all);
    double sum = 0;
    float at[4];
#pragma acc enter data create(kept[0:all])
#if SPELLING == 1
    float *x0 = NEW(float, all), *y0 = NEW(float, all), *x1 = NEW(float, all), *y1 = NEW(float, all);
    word *covers = NEW(word, all *WORDS);
    for (int k = 0; k < all; k++) {
        corners(k, at);
        x0[k] = at[0], y0[k] = at[1], x1[k] = at[2], y1[k] = at[3];
    }
#pragma acc enter data copyin(x0[0:all], y0[0:all], x1[0:all], y1[0:all]) create(covers[0:all * WORDS])
#else
    struct box *box = NEW(struct box, all);
    for (int k = 0; k < all; k++) {
        corners(k, at);
        box[k] = (struct box){at[0], at[1], at[2], at[3]};
    }
#pragma acc enter data copyin(box[0:all])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        keep(n, x0, y0, x1, y1, covers, kept);
#else
        keep(n, (void *)box, (void *)kept);
#endif
    }
#pragma acc update self(kept[0:all])
    for (int k = 0; k < all; k++)
        sum += kept[k] * (1 + k % 13);
    report("nms", t.best, sum);
    return 0;
}
