// Update step of k-means, float: sums and numbers of the points of 32 centres, 2^20 points of 16 dimensions.
#include "../kernels.h"

enum { POINTS = 1 << 20, DIMS = 16, CENTRES = 32 };

#if SPELLING == 1
static void accumulate(int n, const float *restrict points, const int *restrict nearest, float *restrict sums,
                       int *restrict counts)
{
#pragma acc parallel loop async present(sums[0:CENTRES * DIMS], counts[0:CENTRES])
#pragma omp parallel for simd
    for (int k = 0; k < CENTRES * DIMS; k++) {
        sums[k] = 0;
        if (k < CENTRES)
            counts[k] = 0;
    }
#pragma acc parallel loop async present(points[0:n * DIMS], nearest[0:n], sums[0:CENTRES * DIMS], counts[0:CENTRES])
#pragma omp parallel for reduction(+ : sums[:CENTRES * DIMS], counts[:CENTRES])
    for (int i = 0; i < n; i++) {
        int c = nearest[i];
        for (int d = 0; d < DIMS; d++) {
#pragma acc atomic update
            sums[c * DIMS + d] += points[i * DIMS + d];
        }
#pragma acc atomic update
        counts[c]++;
    }
#pragma acc wait
}
#else
static void accumulate(size_t n, float *flat, int *nearest, float *s, int *counts)
{
    float(*points)[DIMS] = (float(*)[DIMS])flat, (*sums)[DIMS] = (float(*)[DIMS])s;
#pragma acc parallel loop collapse(2) async present(sums[0:CENTRES][0:DIMS], counts[0:CENTRES])
#pragma omp parallel for
    for (size_t c = 0; c < CENTRES; c++)
        for (size_t d = 0; d < DIMS; d++)
            sums[c][d] = 0, counts[c] = 0;
#pragma acc parallel async present(points[0:n][0:DIMS], nearest[0:n], sums[0:CENTRES][0:DIMS], counts[0:CENTRES])
    {
#pragma acc loop gang vector
#pragma omp parallel for reduction(+ : sums[:CENTRES], counts[:CENTRES])
        for (size_t i = 0; i < n; i++) {
#pragma acc atomic
            counts[nearest[i]] += 1;
#pragma acc loop seq
            for (unsigned d = 0; d < DIMS; d++)
#pragma acc atomic update
                sums[nearest[i]][d] = sums[nearest[i]][d] + points[i][d];
        }
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, *nearest = NEW(int, n), *counts = NEW(int, CENTRES);
    float *points = NEW(float, n *DIMS), *sums = NEW(float, CENTRES *DIMS);
    double sum = 0;
    for (int i = 0; i < n * DIMS; i++)
        points[i] = (int)(64 * number(i)) / 64.0f;
    for (int i = 0; i < n; i++)
        nearest[i] = (int)(CENTRES * number(i));
#pragma acc enter data copyin(points[0:n * DIMS], nearest[0:n]) create(sums[0:CENTRES * DIMS], counts[0:CENTRES])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        accumulate(n, points, nearest, sums, counts);
#pragma acc update self(sums[0:CENTRES * DIMS], counts[0:CENTRES])
    for (int k = 0; k < CENTRES * DIMS; k++)
        sum += sums[k] * (1 + k % 7) + counts[k / DIMS] * (k % 5);
    report("accumulate", t.best, sum);
    return 0;
}
