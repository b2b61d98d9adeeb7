// Assignment step of k-means, float: 2^20 points of 16 dimensions, 32 centres.
#include "../kernels.h"

enum { POINTS = 1 << 20, DIMS = 16, CENTRES = 32 };

#if SPELLING == 1
static void assign(int n, const float *restrict points, const float *restrict centres, int *restrict nearest)
{
    float v[DIMS];
#pragma acc parallel loop private(v) present(points[0:n * DIMS], centres[0:CENTRES * DIMS], nearest[0:n])
#pragma omp parallel for private(v)
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int which = 0;
        for (int d = 0; d < DIMS; d++)
            v[d] = points[i * DIMS + d];
        for (int c = 0; c < CENTRES; c++) {
            float s = 0;
            for (int d = 0; d < DIMS; d++)
                s += (v[d] - centres[c * DIMS + d]) * (v[d] - centres[c * DIMS + d]);
            if (s < best) {
                best = s;
                which = c;
            }
        }
        nearest[i] = which;
    }
}
#else
#pragma acc routine seq
static float distance(const float *a, const float *b, unsigned dims)
{
    float s = 0;
    for (unsigned d = 0; d < dims; d++) {
        float difference = *a++ - *b++;
        s += difference * difference;
    }
    return s;
}

static void assign(size_t n, float *points, float *centres, int *nearest)
{
#pragma acc parallel loop present(points[0:n * DIMS], centres[0:CENTRES * DIMS], nearest[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        int which = 0;
        float best = 1e30f;
        for (int c = 0; c < CENTRES; c++) {
            float s = distance(&points[i * DIMS], &centres[c * DIMS], DIMS);
            which = s < best ? c : which;
            best = s < best ? s : best;
        }
        nearest[i] = which;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, *nearest = NEW(int, n);
    float *points = NEW(float, n *DIMS), *centres = NEW(float, CENTRES *DIMS);
    double sum = 0;
    FILL(points, n * DIMS, 1);
    FILL(centres, CENTRES * DIMS, 1);
#pragma acc enter data copyin(points[0:n * DIMS], centres[0:CENTRES * DIMS]) create(nearest[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        assign(n, points, centres, nearest);
#pragma acc update self(nearest[0:n])
    SUM(sum, nearest, n);
    report("kmeans", t.best, sum);
    return 0;
}
