// Cross entropy with smoothed labels of 2048 rows of 32000 floats, and its gradient: the largest, a sum of exponentials and a mean of each row.
#include "../kernels.h"

enum { ROWS = 2048, WORDS = 32000 };
#define SMOOTH 0.1f

#if SPELLING == 1
static void entropy(int n, const float *restrict x, const int *restrict label, float *restrict loss, float *restrict gradient)
{
#pragma acc parallel loop gang present(x[0:n * WORDS], label[0:n], loss[0:n], gradient[0:n * WORDS])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float most = -1e30f, sum = 0, all = 0;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < WORDS; j++)
            most = fmaxf(most, x[i * WORDS + j]);
#pragma acc loop vector reduction(+ : sum, all)
        for (int j = 0; j < WORDS; j++) {
            sum += expf(x[i * WORDS + j] - most);
            all += x[i * WORDS + j];
        }
        loss[i] = most + logf(sum) - (1 - SMOOTH) * x[i * WORDS + label[i]] - SMOOTH * all / WORDS;
#pragma acc loop vector
        for (int j = 0; j < WORDS; j++) {
            float target = j == label[i] ? 1 - SMOOTH + SMOOTH / WORDS : SMOOTH / WORDS;
            gradient[i * WORDS + j] = expf(x[i * WORDS + j] - most) / sum - target;
        }
    }
}
#else
#pragma acc routine vector
static float largest(long n, float *row)
{
    float most = row[0];
#pragma acc loop vector reduction(max : most)
    for (long j = 1; j < n; ++j)
        if (row[j] > most)
            most = row[j];
    return most;
}

#pragma acc routine vector
static float exponentials(long n, float *row, float most)
{
    float sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (long j = 0; j < n; ++j)
        sum += expf(row[j] - most);
    return sum;
}

static void entropy(long n, float *x, int *label, float *loss, float *gradient)
{
#pragma acc parallel loop gang vector_length(128) present(x[0:n * WORDS], label[0:n], loss[0:n], gradient[0:n * WORDS])
#pragma omp parallel for
    for (long i = 0; i < n; ++i) {
        float *row = x + i * WORDS, *to = gradient + i * WORDS, mean = 0;
        float most = largest(WORDS, row), sum = exponentials(WORDS, row, most);
#pragma acc loop vector reduction(+ : mean)
        for (long j = 0; j < WORDS; ++j) {
            mean += row[j] / WORDS;
            to[j] = expf(row[j] - most) / sum - SMOOTH / WORDS;
        }
        to[label[i]] -= 1 - SMOOTH;
        loss[i] = most + logf(sum) - (1 - SMOOTH) * row[label[i]] - SMOOTH * mean;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, all = n * WORDS, *label = NEW(int, n);
    float *x = NEW(float, all), *loss = NEW(float, n), *gradient = NEW(float, all);
    double sum = 0;
    FILL(x, all, 8);
    for (int i = 0; i < n; i++)
        label[i] = mix(i) % WORDS;
#pragma acc enter data copyin(x[0:all], label[0:n]) create(loss[0:n], gradient[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        entropy(n, x, label, loss, gradient);
#pragma acc update self(loss[0:n], gradient[0:all])
    SUM(sum, loss, n);
    for (int k = 0; k < all; k++)
        sum += fabs(gradient[k]);
    report("crossent", t.best, sum);
    return 0;
}
