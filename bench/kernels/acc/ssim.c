// Structural similarity of two pictures of 2048 x 2048 bytes: means, variances and covariance in the 8 x 8 points from each, a map of
// floats and its mean.
#include "../kernels.h"

enum { SIDE = 2048, BOX = 8, MORE = BOX - 1 };

#if SPELLING == 1
static double similarity(int n, const unsigned char *restrict a, const unsigned char *restrict b, float *restrict map)
{
    double total = 0;
    int width = n + MORE;
#pragma acc parallel loop collapse(2) reduction(+ : total) present(a[0:width * width], b[0:width * width], map[0:n * n])
#pragma omp parallel for collapse(2) reduction(+ : total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
            for (int k = 0; k < BOX; k++)
                for (int l = 0; l < BOX; l++) {
                    int p = a[(i + k) * width + j + l], q = b[(i + k) * width + j + l];
                    sa += p;
                    sb += q;
                    saa += p * p;
                    sbb += q * q;
                    sab += p * q;
                }
            // all times the square of the number of points, to stay with whole numbers
            float mean = sa * sb, means = sa * sa + sb * sb, both = 64 * sab - sa * sb, each = 64 * (saa + sbb) - sa * sa - sb * sb;
            float c1 = 6.5025f * 4096, c2 = 58.5225f * 4096;
            float s = (2 * mean + c1) * (2 * both + c2) / ((means + c1) * (each + c2));
            map[i * n + j] = s;
            total += s;
        }
    return total / n / n;
}
#else
struct moments { unsigned a, b, aa, bb, ab; };

static void add_row(struct moments *m, const unsigned char *a, const unsigned char *b)
{
    for (const unsigned char *end = a + BOX; a < end; ++a, ++b) {
        m->a += *a;
        m->b += *b;
        m->aa += *a * *a;
        m->bb += *b * *b;
        m->ab += *a * *b;
    }
}

static double similarity(unsigned n, unsigned char **a, unsigned char **b, float **map)
{
    double total = 0;
#pragma acc parallel loop gang reduction(+ : total) present(a[0:n + MORE][0:n + MORE], b[0:n + MORE][0:n + MORE], map[0:n][0:n])
#pragma omp parallel for reduction(+ : total)
    for (unsigned i = 0; i < n; ++i) {
#pragma acc loop vector reduction(+ : total)
        for (unsigned j = 0; j < n; ++j) {
            struct moments m = {0, 0, 0, 0, 0};
            for (unsigned k = 0; k < BOX; ++k)
                add_row(&m, a[i + k] + j, b[i + k] + j);
            const float points = BOX * BOX, ma = m.a / points, mb = m.b / points;
            // differences of whole numbers, as those of means lose digits
            const float both = (int)(64 * m.ab - m.a * m.b) / (points * points),
                        each = (64 * (m.aa + m.bb) - m.a * m.a - m.b * m.b) / (points * points);
            map[i][j] = (2 * ma * mb + 6.5025f) / (ma * ma + mb * mb + 6.5025f) * ((2 * both + 58.5225f) / (each + 58.5225f));
            total += map[i][j];
        }
    }
    return total / ((double)n * n);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, width = n + MORE, all = width * width;
    unsigned char *a = NEW(unsigned char, all), *b = NEW(unsigned char, all);
    float *map = NEW(float, n *n);
    double sum = 0, mean = 0;
    for (int k = 0; k < all; k++) {
        a[k] = (k % width + k / width) / 3 % 128 + mix(k) % 64;
        b[k] = a[k] + mix(k + 1) % 48;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(a[0:all], b[0:all]) create(map[0:n * n])
    while (lap(&t))
        mean = similarity(n, a, b, map);
#pragma acc update self(map[0:n * n])
#else
    unsigned char **ra = NEW(unsigned char *, width), **rb = NEW(unsigned char *, width);
    float **rows = NEW(float *, n);
    for (int i = 0; i < width; i++) {
        ra[i] = a + i * width;
        rb[i] = b + i * width;
        if (i < n)
            rows[i] = map + i * n;
    }
#pragma acc enter data copyin(ra[0:width][0:width], rb[0:width][0:width]) create(rows[0:n][0:n])
    while (lap(&t))
        mean = similarity(n, ra, rb, rows);
#pragma acc update self(rows[0:n][0:n])
#endif
    for (int k = 0; k < n * n; k++)
        sum += map[k] * (1 + k % 3);
    report("ssim", t.best, sum + mean * n);
    return 0;
}
