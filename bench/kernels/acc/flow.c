// What moves between two pictures of 2048 x 2048 bytes (Lucas and Kanade): slopes in place and time in whole numbers, sums of their products over the
// 7 x 7 pixels around each, and two unknowns where the sums tell enough; how many of those there are.
#include "../kernels.h"

enum { SIDE = 2048, REACH = 3, ENOUGH = 100000 };

#if SPELLING == 1
static int flow(int n, const unsigned char *restrict first, const unsigned char *restrict second, short *restrict along, short *restrict across,
                short *restrict change, float *restrict u, float *restrict v)
{
    int found = 0;
#pragma acc data present(first[0:n * n], second[0:n * n], along[0:n * n], across[0:n * n], change[0:n * n], u[0:n * n], v[0:n * n])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int left = x > 0 ? x - 1 : 0, right = x < n - 1 ? x + 1 : x, above = y > 0 ? y - 1 : 0, below = y < n - 1 ? y + 1 : y;
                along[y * n + x] = first[y * n + right] - first[y * n + left];
                across[y * n + x] = first[below * n + x] - first[above * n + x];
                change[y * n + x] = 2 * (second[y * n + x] - first[y * n + x]);
            }
#pragma acc parallel loop tile(32, 8) reduction(+ : found)
#pragma omp parallel for reduction(+ : found)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
                for (int dy = -REACH; dy <= REACH; dy++)
                    for (int dx = -REACH; dx <= REACH; dx++)
                        if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n) {
                            int at = (y + dy) * n + x + dx, a = along[at], b = across[at], c = change[at];
                            xx += a * a;
                            xy += a * b;
                            yy += b * b;
                            xt += a * c;
                            yt += b * c;
                        }
                long long det = (long long)xx * yy - (long long)xy * xy;
                int good = det > ENOUGH;
                u[y * n + x] = good ? (double)((long long)xy * yt - (long long)yy * xt) / det : 0;
                v[y * n + x] = good ? (double)((long long)xy * xt - (long long)xx * yt) / det : 0;
                found += good;
            }
    }
    return found;
}
#else
typedef long long wide;
#define EDGE(i) ((i) < 0 ? 0 : (i) >= n ? n - 1 : (i))

enum { XX, XY, YY, XT, YT, ALL };

static int flow(long n, unsigned char *first_, unsigned char *second_, int *sums_, float *u_, float *v_)
{
    unsigned char(*first)[n] = (void *)first_, (*second)[n] = (void *)second_;
    int(*sums)[n][n] = (void *)sums_;
    float(*u)[n] = (void *)u_, (*v)[n] = (void *)v_;
    int found = 0;
#pragma acc data present(first[0:n], second[0:n], sums[0:ALL], u[0:n], v[0:n])
    {
        // Sums over a row's seven pixels, then over seven rows.
#pragma acc parallel loop gang
#pragma omp parallel for
        for (long y = 0; y < n; ++y)
#pragma acc loop vector
            for (long x = 0; x < n; ++x) {
                int row[ALL] = {0};
                for (long c = x - REACH; c <= x + REACH; ++c) {
                    if (c < 0 || c >= n)
                        continue;
                    int a = first[y][EDGE(c + 1)] - first[y][EDGE(c - 1)], b = first[EDGE(y + 1)][c] - first[EDGE(y - 1)][c],
                        d = (second[y][c] - first[y][c]) * 2;
                    row[XX] += a * a;
                    row[XY] += a * b;
                    row[YY] += b * b;
                    row[XT] += a * d;
                    row[YT] += b * d;
                }
                for (int k = 0; k < ALL; ++k)
                    sums[k][y][x] = row[k];
            }
#pragma acc kernels loop independent collapse(2) reduction(+ : found)
#pragma omp parallel for reduction(+ : found)
        for (long y = 0; y < n; ++y)
            for (long x = 0; x < n; ++x) {
                wide s[ALL];
                for (int k = 0; k < ALL; ++k) {
                    s[k] = 0;
                    for (long r = EDGE(y - REACH); r <= EDGE(y + REACH); ++r)
                        s[k] += sums[k][r][x];
                }
                wide det = s[XX] * s[YY] - s[XY] * s[XY];
                if (det <= ENOUGH) {
                    u[y][x] = v[y][x] = 0;
                    continue;
                }
                u[y][x] = (double)(s[XY] * s[YT] - s[YY] * s[XT]) / det;
                v[y][x] = (double)(s[XY] * s[XT] - s[XX] * s[YT]) / det;
                found++;
            }
    }
    return found;
}
#endif

static double scene(double x, double y) { return 128 + 50 * sin(0.11 * x + 0.05 * y) + 40 * sin(0.13 * y - 0.07 * x) + 20 * sin(0.002 * x * y); }

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, found = 0;
    unsigned char *first = NEW(unsigned char, n *n), *second = NEW(unsigned char, n *n);
    float *u = NEW(float, n *n), *v = NEW(float, n *n);
    double sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            first[y * n + x] = scene(x, y) + mix(y * n + x) % 8;
            second[y * n + x] = scene(x - 0.7, y + 0.4) + mix(y * n + x) % 8;
        }
#pragma acc enter data copyin(first[0:n * n], second[0:n * n]) create(u[0:n * n], v[0:n * n])
#if SPELLING == 1
    short *along = NEW(short, n *n), *across = NEW(short, n *n), *change = NEW(short, n *n);
#pragma acc enter data create(along[0:n * n], across[0:n * n], change[0:n * n])
#else
    int *sums = NEW(int, 5 * n * n);
#pragma acc enter data create(sums[0:5 * n * n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        found = flow(n, first, second, along, across, change, u, v);
#else
        found = flow(n, first, second, sums, u, v);
#endif
    }
#pragma acc update self(u[0:n * n], v[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += fabs(u[k]) + 2 * fabs(v[k]);
    report("flow", t.best, sum + found);
    return 0;
}
