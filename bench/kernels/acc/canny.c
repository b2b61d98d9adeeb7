// The edges of an image of 2048 x 2048 bytes in whole numbers: blurred by 5 x 5 weights, slopes, thinned to the ridges along them, and weak ones
// kept where strong ones touch them, again and again until nothing changes.
#include "../kernels.h"

enum { WIDTH = 2048, HEIGHT = 2048, PASSES = 12, WEAK = 60, STRONG = 150 };

#if SPELLING == 1
static const int weight[25] = {2, 4, 5, 4, 2, 4, 9, 12, 9, 4, 5, 12, 15, 12, 5, 4, 9, 12, 9, 4, 2, 4, 5, 4, 2};

static void canny(int h, int w, const unsigned char *restrict image, int *restrict blurred, int *restrict size, int *restrict way, int *restrict edge,
                  int *restrict next, int *passes)
{
    int n = h * w, changed = 1;
#pragma acc data present(image[0:n], blurred[0:n], size[0:n], way[0:n], edge[0:n], next[0:n]) copyin(weight[0:25])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int sum = 0;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++) {
                        int yy = y + dy < 0 ? 0 : y + dy > h - 1 ? h - 1 : y + dy;
                        int xx = x + dx < 0 ? 0 : x + dx > w - 1 ? w - 1 : x + dx;
                        sum += weight[(dy + 2) * 5 + dx + 2] * image[yy * w + xx];
                    }
                blurred[y * w + x] = sum / 159;
            }
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < n; k++) {
            size[k] = 0;
            edge[k] = 0;
            next[k] = 0;
        }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                const int *b = blurred + y * w + x;
                int gx = b[-w + 1] + 2 * b[1] + b[w + 1] - b[-w - 1] - 2 * b[-1] - b[w - 1];
                int gy = b[w - 1] + 2 * b[w] + b[w + 1] - b[-w - 1] - 2 * b[-w] - b[-w + 1];
                int ax = abs(gx), ay = abs(gy);
                size[y * w + x] = ax + ay;
                // Tangents of 22.5 and 67.5 degrees.
                if (1000 * ay < 414 * ax)
                    way[y * w + x] = 1;
                else if (1000 * ay > 2414 * ax)
                    way[y * w + x] = w;
                else if ((gx > 0) == (gy > 0))
                    way[y * w + x] = w + 1;
                else
                    way[y * w + x] = w - 1;
            }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                int k = y * w + x, s = size[k];
                if (s > WEAK && s >= size[k - way[k]] && s > size[k + way[k]])
                    edge[k] = s > STRONG ? 2 : 1;
            }
        *passes = 0;
        while (changed > 0 && *passes < PASSES) {
            changed = 0;
#pragma acc parallel loop collapse(2) reduction(+ : changed)
#pragma omp parallel for reduction(+ : changed)
            for (int y = 1; y < h - 1; y++)
                for (int x = 1; x < w - 1; x++) {
                    int k = y * w + x, e = edge[k];
                    if (e == 1)
                        for (int dy = -1; dy <= 1; dy++)
                            for (int dx = -1; dx <= 1; dx++)
                                if (edge[k + dy * w + dx] == 2)
                                    e = 2;
                    if (e != edge[k])
                        changed++;
                    next[k] = e;
                }
#pragma acc parallel loop
#pragma omp parallel for
            for (int k = 0; k < n; k++)
                edge[k] = next[k];
            ++*passes;
        }
    }
}
#else
typedef unsigned char byte;
typedef struct { short size; byte sector, level; } pixel;

#define CLAMP(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n) - 1 : (v))
#define EDGE(row, column) (source[row][column].level == 2)

#pragma acc routine seq
static int weight(int dy, int dx)
{
    const int d = dx * dx + dy * dy;
    return d == 0 ? 15 : d == 1 ? 12 : d == 2 ? 9 : d == 4 ? 5 : d == 5 ? 4 : 2;
}

#pragma acc routine seq
static byte sector(int gx, int gy)
{
    const int ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
    if (1000 * ay < 414 * ax)
        return 0;
    if (1000 * ay > 2414 * ax)
        return 2;
    return (gx > 0) == (gy > 0) ? 1 : 3;
}

static void canny(long h, long w, byte (*image)[w], byte (*blurred)[w], pixel (*map)[w], byte (*out)[w], int *passes)
{
#pragma acc kernels present(image[0:h][0:w], blurred[0:h][0:w])
#pragma acc loop independent tile(8, 32)
#pragma omp parallel for
    for (long row = 0; row < h; ++row)
        for (long column = 0; column < w; ++column) {
            int sum = 0;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx)
                    sum += weight(dy, dx) * image[CLAMP(row + dy, h)][CLAMP(column + dx, w)];
            blurred[row][column] = (byte)(sum / 159);
        }
#pragma acc kernels present(blurred[0:h][0:w], map[0:h][0:w])
#pragma acc loop independent
#pragma omp parallel for
    for (long row = 0; row < h; ++row)
#pragma acc loop independent
        for (long column = 0; column < w; ++column) {
            pixel p = {0, 0, 0};
            if (row > 0 && row + 1 < h && column > 0 && column + 1 < w) {
                byte *north = blurred[row - 1] + column, *here = blurred[row] + column, *south = blurred[row + 1] + column;
                int gx = (north[1] - north[-1]) + 2 * (here[1] - here[-1]) + (south[1] - south[-1]);
                int gy = (south[-1] - north[-1]) + 2 * (south[0] - north[0]) + (south[1] - north[1]);
                p.size = (short)((gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy));
                p.sector = sector(gx, gy);
            }
            map[row][column] = p;
        }
#pragma acc kernels present(map[0:h][0:w], out[0:h][0:w])
#pragma acc loop independent collapse(2)
#pragma omp parallel for
    for (long row = 0; row < h; ++row)
        for (long column = 0; column < w; ++column) {
            byte level = 0;
            const pixel p = map[row][column];
            if (p.size > WEAK) {
                const long dy = p.sector > 0, dx = p.sector == 3 ? -1 : p.sector != 2;
                if (p.size >= map[row - dy][column - dx].size && p.size > map[row + dy][column + dx].size)
                    level = p.size > STRONG ? 2 : 1;
            }
            out[row][column] = level;
        }
    *passes = 0;
    for (int changed = 1; changed && *passes < PASSES; ++*passes) {
        changed = 0;
#pragma acc kernels present(map[0:h][0:w], out[0:h][0:w])
        {
#pragma acc loop independent collapse(2)
#pragma omp parallel for
            for (long row = 0; row < h; ++row)
                for (long column = 0; column < w; ++column)
                    map[row][column].level = out[row][column];
        }
        pixel (*source)[w] = map;
#pragma acc kernels present(source[0:h][0:w], out[0:h][0:w])
        {
#pragma acc loop independent collapse(2) reduction(| : changed)
#pragma omp parallel for reduction(| : changed)
            for (long row = 1; row < h - 1; ++row)
                for (long column = 1; column < w - 1; ++column)
                    if (out[row][column] == 1 &&
                        (EDGE(row - 1, column - 1) || EDGE(row - 1, column) || EDGE(row - 1, column + 1) || EDGE(row, column - 1) ||
                         EDGE(row, column + 1) || EDGE(row + 1, column - 1) || EDGE(row + 1, column) || EDGE(row + 1, column + 1))) {
                        out[row][column] = 2;
                        changed |= 1;
                    }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int h = HEIGHT >> (args.shift + 1) / 2, w = WIDTH >> args.shift / 2, n = h * w, passes = 0;
    unsigned char *image = NEW(unsigned char, n);
    double sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int cx = x % 96 - 48, cy = y % 80 - 40, r = 400 + mix(x / 96 * 131 + y / 80) % 900;
            int shade = mix(x / 96 + 57 * (y / 80)) % 160, fade = (x % 96 * 2 + y % 80) / 4;
            image[y * w + x] = (cx * cx + cy * cy < r ? 30 + shade : 20 + fade) + mix(y * w + x) % 24;
        }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *blurred = NEW(int, n), *size = NEW(int, n), *way = NEW(int, n), *edge = NEW(int, n), *next = NEW(int, n);
#pragma acc enter data copyin(image[0:n]) create(blurred[0:n], size[0:n], way[0:n], edge[0:n], next[0:n])
    while (lap(&t))
        canny(h, w, image, blurred, size, way, edge, next, &passes);
#pragma acc update self(edge[0:n])
    for (int k = 0; k < n; k++)
        sum += edge[k] * (k % 31 + 1);
#else
    byte *blurred = NEW(byte, n), *out = NEW(byte, n);
    pixel *map = NEW(pixel, n);
#pragma acc enter data copyin(image[0:n]) create(blurred[0:n], out[0:n], map[0:n])
    while (lap(&t))
        canny(h, w, (byte(*)[w])image, (byte(*)[w])blurred, (pixel(*)[w])map, (byte(*)[w])out, &passes);
#pragma acc update self(out[0:n])
    for (int k = 0; k < n; k++)
        sum += out[k] * (k % 31 + 1);
#endif
    report("canny", t.best, sum + 1000 * passes);
    return 0;
}
