// What a new centre would save 65536 points of 64 floats, of those that are nearer to it than to their own: sums for each old centre.
#include "../kernels.h"

enum { POINTS = 65536, WIDTH = 64, CENTRES = 20 };

#if SPELLING == 1
static double gain(int n, int width, const float *restrict points, const float *restrict weight, const float *restrict cost,
                   const int *restrict centre, int candidate, float *restrict lower, int *restrict moves)
{
    double saved = 0;
#pragma acc parallel loop present(lower[0:CENTRES])
    for (int c = 0; c < CENTRES; c++)
        lower[c] = 0;
#pragma acc parallel loop reduction(+ : saved) present(points[0:n * width], weight[0:n], cost[0:n], centre[0:n], lower[0:CENTRES], moves[0:n])
#pragma omp parallel for reduction(+ : saved, lower[0:CENTRES])
    for (int k = 0; k < n; k++) {
        float distance = 0;
        for (int d = 0; d < width; d++) {
            float difference = points[k * width + d] - points[candidate * width + d];
            distance += difference * difference;
        }
        float here = distance * weight[k];
        if (here < cost[k]) {
            moves[k] = 1;
            saved += here - cost[k];
        } else {
            moves[k] = 0;
#pragma acc atomic update
            lower[centre[k]] += cost[k] - here;
        }
    }
    return saved;
}
#else
struct point { float weight, cost; unsigned centre; };
#define DIFFERENCE(a, b) ((a) - (b))

static float squares(const float *a, const float *b, unsigned width)
{
    float sum = 0;
    while (width-- > 0) {
        float difference = DIFFERENCE(*a, *b);
        sum += difference * difference;
        a++, b++;
    }
    return sum;
}

static double gain(size_t n, unsigned width, float *points, struct point *all, unsigned candidate, float *lower, _Bool *moves)
{
    double saved = 0;
#pragma acc kernels present(lower[0:CENTRES])
    for (int c = 0; c < CENTRES; ++c)
        lower[c] = 0;
#pragma acc parallel loop reduction(+ : saved) present(points[0:n * width], all[0:n], lower[0:CENTRES], moves[0:n])
#pragma omp parallel for reduction(+ : saved, lower[0:CENTRES])
    for (size_t k = 0; k < n; ++k) {
        float here = all[k].weight * squares(&points[k * width], &points[candidate * width], width);
        moves[k] = here < all[k].cost;
        if (moves[k])
            saved += here - all[k].cost;
        else {
#pragma acc atomic
            lower[all[k].centre] += all[k].cost - here;
        }
    }
    return saved;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift;
    float *points = NEW(float, n *WIDTH), *lower = NEW(float, CENTRES);
    double sum = 0, saved = 0;
    FILL(points, n * WIDTH, 1);
#if SPELLING == 1
    float *weight = NEW(float, n), *cost = NEW(float, n);
    int *centre = NEW(int, n), *moves = NEW(int, n);
    for (int k = 0; k < n; k++)
        weight[k] = 1 + number(k), cost[k] = 16 * number(3 * k), centre[k] = mix(k) % CENTRES;
#pragma acc enter data copyin(points[0:n * WIDTH], weight[0:n], cost[0:n], centre[0:n]) create(lower[0:CENTRES], moves[0:n])
#else
    struct point *all = NEW(struct point, n);
    _Bool *moves = NEW(_Bool, n);
    for (int k = 0; k < n; k++)
        all[k] = (struct point){1 + number(k), 16 * number(3 * k), mix(k) % CENTRES};
#pragma acc enter data copyin(points[0:n * WIDTH], all[0:n]) create(lower[0:CENTRES], moves[0:n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        saved = gain(n, WIDTH, points, weight, cost, centre, n / 3, lower, moves);
#else
        saved = gain(n, WIDTH, points, all, n / 3, lower, moves);
#endif
#pragma acc update self(lower[0:CENTRES], moves[0:n])
    SUM(sum, lower, CENTRES);
    SUM(sum, moves, n);
    report("gain", t.best, sum + saved);
    return 0;
}
