// The squared distance to the nearest marked one of 192^3 voxels from each, ints, by Meijster's method: along z two runs through each line, then
// along y and along x the lower envelope of each line's parabolas, on a stack.
#include "../kernels.h"

enum { SIZE = 192 };

#if SPELLING == 1
static void transform(int n, const unsigned char *restrict mark, int *restrict a, int *restrict b)
{
    int all = n * n * n, far = 3 * n * n;
#pragma acc parallel loop collapse(2) present(mark[0:all], a[0:all])
#pragma omp parallel for
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int run = 2 * n;
            for (int z = 0; z < n; z++) {
                run = mark[(z * n + y) * n + x] ? 0 : run + 1;
                a[(z * n + y) * n + x] = run;
            }
            for (int z = n - 1; z >= 0; z--) {
                int p = (z * n + y) * n + x;
                run = a[p] < run + 1 ? a[p] : run + 1;
                a[p] = run < 2 * n ? run * run : far;
            }
        }

#pragma acc parallel loop collapse(2) present(a[0:all], b[0:all])
#pragma omp parallel for
    for (int z = 0; z < n; z++)
        for (int x = 0; x < n; x++) {
            int place[SIZE], start[SIZE], top = 0, line = z * n * n + x;
            place[0] = start[0] = 0;
            for (int u = 1; u < n; u++) {
                int f = a[line + u * n];
                while (top >= 0) {
                    int s = place[top], t = start[top];
                    if ((t - s) * (t - s) + a[line + s * n] <= (t - u) * (t - u) + f)
                        break;
                    top--;
                }
                if (top < 0) {
                    top = 0;
                    place[0] = u;
                } else {
                    int s = place[top], t = 1 + (u * u - s * s + f - a[line + s * n]) / (2 * (u - s));
                    if (t < n) {
                        top++;
                        place[top] = u;
                        start[top] = t;
                    }
                }
            }
            for (int u = n - 1; u >= 0; u--) {
                int s = place[top];
                b[line + u * n] = (u - s) * (u - s) + a[line + s * n];
                if (u == start[top])
                    top--;
            }
        }

#pragma acc parallel loop collapse(2) present(a[0:all], b[0:all])
#pragma omp parallel for
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++) {
            int place[SIZE], start[SIZE], top = 0, line = (z * n + y) * n;
            place[0] = start[0] = 0;
            for (int u = 1; u < n; u++) {
                int f = b[line + u];
                while (top >= 0) {
                    int s = place[top], t = start[top];
                    if ((t - s) * (t - s) + b[line + s] <= (t - u) * (t - u) + f)
                        break;
                    top--;
                }
                if (top < 0) {
                    top = 0;
                    place[0] = u;
                } else {
                    int s = place[top], t = 1 + (u * u - s * s + f - b[line + s]) / (2 * (u - s));
                    if (t < n) {
                        top++;
                        place[top] = u;
                        start[top] = t;
                    }
                }
            }
            for (int u = n - 1; u >= 0; u--) {
                int s = place[top];
                a[line + u] = (u - s) * (u - s) + b[line + s];
                if (u == start[top])
                    top--;
            }
        }
}
#else
struct parabola { int place, start, height; };

#define SQUARE(v) ((v) * (v))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#pragma acc routine seq
static int at(const struct parabola *p, int u) { return SQUARE(u - p->place) + p->height; }

#pragma acc routine seq
static void envelope(int n, const int *from, int *to, size_t stride)
{
    struct parabola stack[SIZE];
    int top = 0;
    stack[0].place = 0;
    stack[0].start = 0;
    stack[0].height = from[0];
    for (int u = 1; u < n; ++u) {
        struct parabola next = {u, 0, from[u * stride]};
        while (top >= 0 && at(&stack[top], stack[top].start) > at(&next, stack[top].start))
            --top;
        if (top >= 0) {
            const struct parabola *p = &stack[top];
            next.start = 1 + (SQUARE(u) - SQUARE(p->place) + next.height - p->height) / (2 * (u - p->place));
        }
        if (next.start < n)
            stack[++top] = next;
    }
    for (int u = n; u-- > 0;) {
        to[u * stride] = at(&stack[top], u);
        if (u == stack[top].start)
            --top;
    }
}

static void transform(size_t n, const unsigned char *mark, int *a, int *b)
{
    const size_t plane = n * n, all = n * plane;
    const int endless = 2 * (int)n;
#pragma acc kernels present(mark[0:all], a[0:all], b[0:all])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t line = 0; line < plane; ++line) {
            const unsigned char *m = mark + line;
            int *d = a + line, run = endless;
            for (size_t z = 0; z < n; ++z) {
                run = m[z * plane] != 0 ? 0 : run + 1;
                d[z * plane] = run;
            }
            for (size_t z = n; z-- > 0;) {
                run = MIN(d[z * plane], run + 1);
                d[z * plane] = run < endless ? SQUARE(run) : 3 * (int)plane;
            }
        }

#pragma acc loop independent
#pragma omp parallel for
        for (size_t z = 0; z < n; ++z)
#pragma acc loop independent
            for (size_t x = 0; x < n; ++x)
                envelope((int)n, a + z * plane + x, b + z * plane + x, n);

#pragma acc loop independent
#pragma omp parallel for
        for (size_t z = 0; z < n; ++z)
#pragma acc loop independent
            for (size_t y = 0; y < n; ++y)
                envelope((int)n, b + z * plane + y * n, a + z * plane + y * n, 1);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> args.shift / 3, all = n * n * n;
    unsigned char *mark = NEW(unsigned char, all);
    int *a = NEW(int, all), *b = NEW(int, all);
    double sum = 0;
    for (int p = 0; p < all; p++)
        mark[p] = mix(p) % 4096 == 0 && (p % n + p / n % n + p / n / n) > n / 2;
    struct watch t = watch(args.repeats);
#pragma acc enter data copyin(mark[0:all]) create(a[0:all], b[0:all])
    while (lap(&t))
        transform(n, mark, a, b);
#pragma acc update self(a[0:all])
    for (int p = 0; p < all; p++)
        sum += sqrt(a[p]);
    report("distance", t.best, sum);
    return 0;
}
