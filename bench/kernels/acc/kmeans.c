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
#elif SPELLING == 3
#pragma acc routine seq
static float euclid_dist_2(const float *pt1, const float *pt2, int numdims)
{
    float ans = 0.0f;
    for (int i = 0; i < numdims; i++)
        ans += (pt1[i] - pt2[i]) * (pt1[i] - pt2[i]);
    return ans;
}
#pragma acc routine seq
static int find_nearest_point(const float *pt, int nfeatures, const float *pts, int npts)
{
    int index = 0;
    float min_dist = 3.4e38f;
    for (int i = 0; i < npts; i++) {
        float dist = euclid_dist_2(pt, pts + i * nfeatures, nfeatures);
        if (dist < min_dist) {
            min_dist = dist;
            index = i;
        }
    }
    return index;
}
static void assign(int npoints, float *feature, float *clusters, int *membership)
{
#pragma acc parallel loop present(feature[0:npoints * DIMS], clusters[0:CENTRES * DIMS], membership[0:npoints])
    for (int i = 0; i < npoints; i++)
        membership[i] = find_nearest_point(feature + i * DIMS, DIMS, clusters, CENTRES);
}
#elif SPELLING == 4
typedef float sample[DIMS];
static void assign(size_t n, const float *points, const float *centres, int *nearest)
{
    const sample *x = (const sample *)points, *mu = (const sample *)centres;
#pragma acc kernels loop independent gang vector(128) present(x[0:n], mu[0:CENTRES], nearest[0:n])
    for (size_t i = 0; i < n; i++) {
        int label = 0;
        float least = 0;
        for (int c = 0; c < CENTRES; c++) {
            float dist = 0;
            for (int k = 0; k < DIMS; k++) {
                float diff = x[i][k] - mu[c][k];
                dist += diff * diff;
            }
            const int closer = c == 0 || dist < least;
            label = closer ? c : label;
            least = closer ? dist : least;
        }
        nearest[i] = label;
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
