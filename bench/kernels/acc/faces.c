// Search for faces in a picture of 2048 x 2048 bytes by Viola and Jones: sums over all points above and to the left, and a cascade of ten stages of features
// for windows of 24 x 24 points at every second place, of which most windows fail an early one.
#include "../kernels.h"

enum { SIDE = 2048, WINDOW = 24, STRIDE = 2, STAGES = 10, MOST = 256 };

struct feature {
    short x, y, w, h, dx, dy;
    int threshold, weight;
};

#if SPELLING == 1
// The sum over a rectangle from those at its corners.
#pragma acc routine seq
static int rectangle(const unsigned *restrict total, int pitch, int x, int y, int w, int h)
{
    return total[(y + h) * pitch + x + w] - total[y * pitch + x + w] - total[(y + h) * pitch + x] + total[y * pitch + x];
}

static void detect(int n, const unsigned char *restrict image, unsigned *restrict total, const struct feature *restrict features, const int *restrict begin,
                   int *restrict passed)
{
    int pitch = n + 1, windows = (n - WINDOW) / STRIDE + 1;
#pragma acc data present(image[0:n * n], total[0:pitch * pitch], features[0:MOST], begin[0:STAGES + 1], passed[0:windows * windows])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i <= n; i++) {
            unsigned sum = 0;
            total[i * pitch] = 0;
            for (int j = 0; j < n; j++) {
                if (i > 0)
                    sum += image[(i - 1) * n + j];
                total[i * pitch + j + 1] = sum;
            }
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                total[i * pitch + j] += total[(i - 1) * pitch + j];
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int i = 0; i < windows; i++)
            for (int j = 0; j < windows; j++) {
                int stage = 0, good = 1;
                while (good && stage < STAGES) {
                    int votes = 0, all = 0;
                    for (int f = begin[stage]; f < begin[stage + 1]; f++) {
                        struct feature t = features[f];
                        int x = j * STRIDE + t.x, y = i * STRIDE + t.y;
                        int difference = rectangle(total, pitch, x, y, t.w, t.h) - rectangle(total, pitch, x + t.dx, y + t.dy, t.w, t.h);
                        if (difference > t.threshold)
                            votes += t.weight;
                        all += t.weight;
                    }
                    good = 2 * votes >= all;
                    stage += good;
                }
                passed[i * windows + j] = stage;
            }
    }
}
#else
enum { PART = 64 };
#define AT(y, x) total[(y) * pitch + (x)]
#define INSIDE(x, y, w, h) (AT((y) + (h), (x) + (w)) - AT(y, (x) + (w)) - AT((y) + (h), x) + AT(y, x))

static void detect(size_t n, unsigned char *image, unsigned *total, unsigned *above, struct feature *features, int *begin, int *passed)
{
    const size_t pitch = n + 1, windows = (n - WINDOW) / STRIDE + 1, parts = n / PART;
    unsigned part[SIDE / PART];
#pragma acc parallel loop gang vector_length(64) private(part) present(image[0:n * n], total[0:pitch * pitch])
#pragma omp parallel for private(part)
    for (size_t i = 0; i < n; ++i) {
#pragma acc loop vector
        for (size_t p = 0; p < parts; ++p) {
            unsigned sum = 0;
            for (size_t k = 0; k < PART; ++k)
                sum += image[i * n + p * PART + k];
            part[p] = sum;
        }
        unsigned before = 0;
#pragma acc loop seq
        for (size_t p = 0; p < parts; ++p) {
            unsigned own = part[p];
            part[p] = before;
            before += own;
        }
        AT(i + 1, 0) = 0;
#pragma acc loop vector
        for (size_t p = 0; p < parts; ++p) {
            unsigned sum = part[p];
            for (size_t k = 0; k < PART; ++k)
                AT(i + 1, p * PART + k + 1) = sum += image[i * n + p * PART + k];
        }
    }
#pragma acc kernels present(total[0:pitch * pitch], above[0:parts * pitch])
    {
#pragma acc loop independent
        for (size_t j = 0; j < pitch; ++j)
            AT(0, j) = 0;
#pragma acc loop independent collapse(2)
#pragma omp parallel for
        for (size_t p = 0; p < parts; ++p)
            for (size_t j = 0; j < pitch; ++j) {
                unsigned sum = 0;
#pragma acc loop seq
                for (size_t k = 1; k <= PART; ++k)
                    sum += AT(p * PART + k, j);
                above[p * pitch + j] = sum;
            }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t j = 0; j < pitch; ++j) {
            unsigned sum = 0;
#pragma acc loop seq
            for (size_t p = 0; p < parts; ++p) {
                unsigned own = above[p * pitch + j];
                above[p * pitch + j] = sum;
                sum += own;
            }
        }
#pragma acc loop independent collapse(2)
#pragma omp parallel for
        for (size_t p = 0; p < parts; ++p)
            for (size_t j = 0; j < pitch; ++j) {
                unsigned sum = above[p * pitch + j];
#pragma acc loop seq
                for (size_t k = 1; k <= PART; ++k)
                    AT(p * PART + k, j) = sum += AT(p * PART + k, j);
            }
    }
#pragma acc parallel loop gang present(total[0:pitch * pitch], features[0:MOST], begin[0:STAGES + 1], passed[0:windows * windows])
#pragma omp parallel for
    for (size_t i = 0; i < windows; ++i) {
#pragma acc loop vector
        for (size_t j = 0; j < windows; ++j) {
            int stage;
            for (stage = 0; stage < STAGES; ++stage) {
                int balance = 0;
                for (int f = begin[stage]; f < begin[stage + 1]; ++f) {
                    const struct feature *t = features + f;
                    size_t x = j * STRIDE + t->x, y = i * STRIDE + t->y;
                    int one = INSIDE(x, y, t->w, t->h), other = INSIDE(x + t->dx, y + t->dy, t->w, t->h);
                    balance += one - other > t->threshold ? t->weight : -t->weight;
                }
                if (balance < 0)
                    break;
            }
            passed[i * windows + j] = stage;
        }
    }
}
#endif

// Features that a window of 24 x 24 points has two equal parts of, side by side or one above the other; a stage has four more of them than the one before
// it, and ends the search in a window unless half of its features speak for a face.
static int detector(struct feature *f, int *begin)
{
    int count = 0;
    for (int s = 0; s < STAGES; s++) {
        begin[s] = count;
        for (int k = 0; k < 4 + 4 * s; k++, count++) {
            int across = mix(5 * count) % 2, w = 2 + mix(5 * count + 1) % 9, h = 2 + mix(5 * count + 2) % 9;
            int width = across ? 2 * w : w, height = across ? h : 2 * h;
            f[count].x = mix(5 * count + 3) % (WINDOW - width + 1);
            f[count].y = mix(5 * count + 4) % (WINDOW - height + 1);
            f[count].w = w;
            f[count].h = h;
            f[count].dx = across ? w : 0;
            f[count].dy = across ? 0 : h;
            f[count].threshold = (int)(mix(count + 999) % 64 - 32) * w * h / 16;
            f[count].weight = 1 + mix(count + 4321) % 3;
        }
    }
    begin[STAGES] = count;
    return count;
}

static void photograph(int n, unsigned char *image)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            image[i * n + j] = mix(i * n + j) % 64 + mix(i / 7 * 1000 + j / 7) % 96 + mix(i / 29 * 1000 + j / 29 + 55) % 96;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n, pitch = n + 1, windows = (n - WINDOW) / STRIDE + 1, begin[STAGES + 1];
    unsigned char *image = NEW(unsigned char, all);
    unsigned *total = NEW(unsigned, pitch * pitch);
    struct feature features[MOST];
    int *passed = NEW(int, windows * windows);
    double sum = 0;
    detector(features, begin);
    photograph(n, image);
#pragma acc enter data copyin(image[0:all], features[0:MOST], begin[0:STAGES + 1]) create(total[0:pitch * pitch], passed[0:windows * windows])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    while (lap(&t))
        detect(n, image, total, features, begin, passed);
#else
    unsigned *above = NEW(unsigned, n / PART * pitch);
#pragma acc enter data create(above[0:n / PART * pitch])
    while (lap(&t))
        detect(n, image, total, above, features, begin, passed);
#endif
#pragma acc update self(passed[0:windows * windows])
    for (int k = 0; k < windows * windows; k++)
        sum += passed[k] * (1 + k % 7);
    report("faces", t.best, sum);
    return 0;
}
