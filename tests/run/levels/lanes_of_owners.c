// Loops in `kernels` that work for one iteration of the outermost loop alone, which the user says is independent, have no lanes: sums over its
// own array, rows with a step, windows whose bounds depend on it, in launches of many iterations and of few. Nests around others become one
// loop, with a loop in order in between, bounds that are variables, and a copy of a counter.
#include <stdio.h>
#include <stdlib.h>

enum { TERMS = 20, SLICE = 32, GROUPS = 5, MOMENTS = 3 };

static double weight(int i, int j) { return (i * 7 + j * 3) % 11 - 5; }

static int sums(int n)
{
    double c[TERMS][TERMS], *r = malloc(n * sizeof *r);
    int wrong = 0;
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; j < TERMS; j++)
            c[i][j] = weight(i, j);
#pragma acc kernels copyin(c) copyout(r[0:n])
#pragma acc loop independent
    for (int p = 0; p < n; p++) {
        double f[TERMS], s = 0;
        for (int i = 0; i < TERMS; i++)
            f[i] = (p + i) % 9 - 4;
        for (int i = 0; i < TERMS; i++)
            for (int j = i; j < TERMS; j++)
                s += c[i][j] * f[i] * f[j];
        r[p] = s;
    }
    for (int p = 0; p < n; p++) {
        double s = 0;
        for (int i = 0; i < TERMS; i++)
            for (int j = i; j < TERMS; j++)
                s += c[i][j] * ((p + i) % 9 - 4) * ((p + j) % 9 - 4);
        wrong += r[p] != s;
    }
    free(r);
    return wrong;
}

static int slices(int n)
{
    int parts = (n + SLICE - 1) / SLICE, *start = malloc((parts + 1) * sizeof *start), wrong = 0;
    start[0] = 0;
    for (int k = 0; k < parts; k++)
        start[k + 1] = start[k] + SLICE * (1 + k * 5 % 7);
    int all = start[parts];
    double *v = malloc(all * sizeof *v), *r = malloc(n * sizeof *r);
    for (int k = 0; k < all; k++)
        v[k] = k % 23 - 7;
#pragma acc kernels loop independent copyin(start[0:parts + 1], v[0:all]) copyout(r[0:n])
    for (int row = 0; row < n; row++) {
        double s = 0;
        for (int at = start[row / SLICE] + row % SLICE; at < start[row / SLICE + 1]; at += SLICE)
            s += v[at];
        r[row] = s;
    }
    for (int row = 0; row < n; row++) {
        double s = 0;
        for (int at = start[row / SLICE] + row % SLICE; at < start[row / SLICE + 1]; at += SLICE)
            s += v[at];
        wrong += r[row] != s;
    }
    free(start), free(v), free(r);
    return wrong;
}

static int windows(size_t n, size_t m)
{
    int *v = malloc(n * m * sizeof *v), *peak = malloc(n * m * sizeof *peak), wrong = 0;
    for (size_t k = 0; k < n * m; k++)
        v[k] = (int)(k * 37 % 101);
#define LOOK(to)                                                                                                         \
    int most = 0;                                                                                                        \
    size_t first = a > 0 ? a - 1 : 0, last = a + 1 < n ? a + 1 : a, left = b > 0 ? b - 1 : 0, right = b + 1 < m ? b + 1 : b; \
    for (size_t x = first; x <= last; x++)                                                                               \
        for (size_t y = left; y <= right; y++)                                                                           \
            most = v[x * m + y] > most ? v[x * m + y] : most;                                                            \
    to = most
#pragma acc kernels loop independent collapse(2) copyin(v[0:n * m]) copyout(peak[0:n * m])
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < m; b++) {
            LOOK(peak[a * m + b]);
        }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < m; b++) {
            int expected;
            LOOK(expected);
            wrong += peak[a * m + b] != expected;
        }
    free(v), free(peak);
    return wrong;
}

static int scattered(int groups, int moments, int cells)
{
    int all = groups * moments * cells, wrong = 0;
    double *s = calloc(all, sizeof *s), *f = malloc(all * sizeof *f), t[GROUPS * GROUPS];
    for (int k = 0; k < all; k++)
        f[k] = k % 17;
    for (int k = 0; k < GROUPS * GROUPS; k++)
        t[k] = k % 5 - 2;
#pragma acc kernels copyin(f[0:all], t) copy(s[0:all])
    {
#pragma acc loop independent
        for (int g = groups - 1; g >= 0; g--) {
            int at = g;
#pragma acc loop independent
            for (int m = 1; m < moments; m++)
#pragma acc loop seq
                for (int h = 0; h < groups; h++) {
                    if (h == at)
                        continue;
#pragma acc loop independent
                    for (int c = 0; c < cells; c++)
                        s[(g * moments + m) * cells + c] += t[at * GROUPS + h] * f[(h * moments + m) * cells + c];
                }
        }
    }
    for (int g = 0; g < groups; g++)
        for (int m = 0; m < moments; m++)
            for (int c = 0; c < cells; c++) {
                double sum = 0;
                for (int h = 0; h < groups; h++)
                    if (h != g && m > 0)
                        sum += t[g * GROUPS + h] * f[(h * moments + m) * cells + c];
                wrong += s[(g * moments + m) * cells + c] != sum;
            }
    free(s), free(f);
    return wrong;
}

// One of the inner iterations changes what the outer one has loaded before them all.
static int changed_behind(int groups, int cells)
{
    int all = groups * MOMENTS * cells, wrong = 0;
    double *s = calloc(all, sizeof *s), *first = malloc(groups * sizeof *first);
    for (int g = 0; g < groups; g++)
        first[g] = g + 1;
#pragma acc kernels copy(first[0:groups], s[0:all])
    {
#pragma acc loop independent
        for (int g = 0; g < groups; g++) {
            double was = first[g];
#pragma acc loop independent
            for (int m = 0; m < MOMENTS; m++) {
                if (m == 0)
                    first[g] = -1000;
#pragma acc loop seq
                for (int h = 0; h < 3; h++) {
#pragma acc loop independent
                    for (int c = 0; c < cells; c++)
                        s[(g * MOMENTS + m) * cells + c] += was * (h + c);
                }
            }
        }
    }
    for (int g = 0; g < groups; g++)
        for (int m = 0; m < MOMENTS; m++)
            for (int c = 0; c < cells; c++)
                wrong += s[(g * MOMENTS + m) * cells + c] != (g + 1) * (3.0 + 3 * c);
    free(s), free(first);
    return wrong;
}

int main(void)
{
    int a = sums(3000) + sums(7), b = slices(2000) + slices(5), c = windows(40, 70) + windows(3, 2),
        d = scattered(GROUPS, MOMENTS, 300) + scattered(2, 2, 3) + changed_behind(6, 50);
    printf("%d %d %d %d\n", a, b, c, d);
    return a + b + c + d != 0;
}
