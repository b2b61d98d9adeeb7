// Lower bounds by Keogh of the distance by time warping between a query of 256 floats and each of 2^20 windows of a series, whose mean and deviation are
// normalised: what lies outside of an envelope around the query; and the least of them.
#include "../kernels.h"

enum { WINDOWS = 1 << 20, QUERY = 256, REACH = 16 };

#if SPELLING == 1
static float bounds(int n, const float *restrict query, const float *restrict x, float *restrict upper, float *restrict lower, float *restrict bound)
{
    float least = 1e30f;
#pragma acc parallel loop present(query[0:QUERY], upper[0:QUERY], lower[0:QUERY])
    for (int j = 0; j < QUERY; j++) {
        float high = query[j], low = query[j];
        for (int k = j - REACH; k <= j + REACH; k++)
            if (k >= 0 && k < QUERY) {
                high = fmaxf(high, query[k]);
                low = fminf(low, query[k]);
            }
        upper[j] = high;
        lower[j] = low;
    }
#pragma acc parallel loop reduction(min : least) present(x[0:n + QUERY], upper[0:QUERY], lower[0:QUERY], bound[0:n])
#pragma omp parallel for reduction(min : least)
    for (int i = 0; i < n; i++) {
        float sum = 0, squares = 0;
        for (int j = 0; j < QUERY; j++) {
            sum += x[i + j];
            squares += x[i + j] * x[i + j];
        }
        float mean = sum / QUERY, inverse = 1.0f / sqrtf(squares / QUERY - mean * mean);
        float total = 0;
        for (int j = 0; j < QUERY; j++) {
            float z = (x[i + j] - mean) * inverse, d = 0;
            if (z > upper[j])
                d = z - upper[j];
            else if (z < lower[j])
                d = lower[j] - z;
            total += d * d;
        }
        bound[i] = sqrtf(total);
        least = fminf(least, bound[i]);
    }
    return least;
}
#else
enum { CHUNK = 512 };
struct range { float low, high; };

static float bounds(size_t n, float *query, float *x, struct range *envelope, float *bound)
{
    float least = 1e30f;
#pragma acc kernels loop independent present(query[0:QUERY], envelope[0:QUERY])
    for (size_t j = 0; j < QUERY; ++j) {
        size_t from = j < REACH ? 0 : j - REACH, to = j + REACH < QUERY ? j + REACH : QUERY - 1;
        struct range r = {query[from], query[from]};
        for (size_t k = from + 1; k <= to; ++k) {
            r.low = query[k] < r.low ? query[k] : r.low;
            r.high = query[k] > r.high ? query[k] : r.high;
        }
        envelope[j] = r;
    }
    float part[CHUNK + QUERY];
#pragma acc parallel loop gang vector_length(CHUNK) private(part) present(x[0:n + QUERY], envelope[0:QUERY], bound[0:n])
#pragma omp parallel for private(part)
    for (size_t first = 0; first < n; first += CHUNK) {
#pragma acc loop vector
#pragma omp simd
        for (size_t k = 0; k < CHUNK + QUERY; ++k)
            part[k] = x[first + k];
#pragma acc loop vector
        for (size_t i = 0; i < CHUNK; ++i) {
            float mean = 0, squares = 0, total = 0;
#pragma acc loop seq
            for (size_t j = 0; j < QUERY; ++j)
                mean += part[i + j], squares += part[i + j] * part[i + j];
            mean /= QUERY;
            float inverse = 1 / sqrtf(squares / QUERY - mean * mean);
#pragma acc loop seq
            for (size_t j = 0; j < QUERY; ++j) {
                float z = (part[i + j] - mean) * inverse;
                float d = fmaxf(fmaxf(z - envelope[j].high, envelope[j].low - z), 0);
                total += d * d;
            }
            bound[first + i] = sqrtf(total);
        }
    }
#pragma acc kernels loop reduction(min : least) present(bound[0:n])
#pragma omp parallel for reduction(min : least)
    for (size_t i = 0; i < n; ++i)
        least = bound[i] < least ? bound[i] : least;
    return least;
}
#endif

// A wave as the query, with mean 0 and deviation 1; the series wanders and comes back.
static void series(int n, float *query, float *x)
{
    double sum = 0, squares = 0, at = 0;
    for (int j = 0; j < QUERY; j++) {
        query[j] = sin(0.05 * j) + 0.5 * cos(0.17 * j) + 0.3 * number(j);
        sum += query[j], squares += query[j] * query[j];
    }
    sum /= QUERY, squares = sqrt(squares / QUERY - sum * sum);
    for (int j = 0; j < QUERY; j++)
        query[j] = (query[j] - sum) / squares;
    for (int i = 0; i < n + QUERY; i++) {
        at = 0.97 * at + 0.3 * (number(i + 1000) - 0.5);
        x[i] = at;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = WINDOWS >> args.shift;
    float *query = NEW(float, QUERY), *x = NEW(float, n + QUERY), *bound = NEW(float, n), least = 0;
    double sum = 0;
    series(n, query, x);
#pragma acc enter data copyin(query[0:QUERY], x[0:n + QUERY]) create(bound[0:n])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *upper = NEW(float, QUERY), *lower = NEW(float, QUERY);
#pragma acc enter data create(upper[0:QUERY], lower[0:QUERY])
    while (lap(&t))
        least = bounds(n, query, x, upper, lower, bound);
#else
    struct range *envelope = NEW(struct range, QUERY);
#pragma acc enter data create(envelope[0:QUERY])
    while (lap(&t))
        least = bounds(n, query, x, envelope, bound);
#endif
#pragma acc update self(bound[0:n])
    SUM(sum, bound, n);
    report("keogh", t.best, sum + least);
    return 0;
}
