// A mixture of 64 experts for 32768 tokens of 1024 floats: the two best of each token by its scores, places of the
// tokens in the order of experts, a scale, an offset and SiLU of each expert there, and both results added up.
#include "../kernels.h"

enum { TOKENS = 32768, WIDTH = 1024, EXPERTS = 64 };

#if SPELLING == 1
static void mixture(int n, const float *restrict scores, const float *restrict x, const float *restrict gain,
                    const float *restrict offset, int *restrict expert, float *restrict weight, int *restrict count,
                    int *restrict first, int *restrict place, int *restrict source, float *restrict sorted,
                    float *restrict y)
{
#pragma acc data present(scores[0:n * EXPERTS], x[0:n * WIDTH], gain[0:EXPERTS], offset[0:EXPERTS]) \
    present(expert[0:2 * n], weight[0:2 * n], count[0:EXPERTS], first[0:EXPERTS + 1], place[0:2 * n]) \
    present(source[0:2 * n], sorted[0:2 * n * WIDTH], y[0:n * WIDTH])
    {
#pragma acc parallel loop
        for (int e = 0; e < EXPERTS; e++)
            count[e] = 0;
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (int t = 0; t < n; t++) {
            int one = 0, two = -1;
            for (int e = 1; e < EXPERTS; e++) {
                float s = scores[t * EXPERTS + e];
                if (s > scores[t * EXPERTS + one]) {
                    two = one;
                    one = e;
                } else if (two < 0 || s > scores[t * EXPERTS + two])
                    two = e;
            }
            expert[2 * t] = one;
            expert[2 * t + 1] = two;
            weight[2 * t] = 1 / (1 + expf(scores[t * EXPERTS + two] - scores[t * EXPERTS + one]));
            weight[2 * t + 1] = 1 - weight[2 * t];
            for (int b = 0; b < 2; b++) {
#pragma acc atomic update
#pragma omp atomic
                count[expert[2 * t + b]]++;
            }
        }
#pragma acc serial
        {
            first[0] = 0;
            for (int e = 0; e < EXPERTS; e++) {
                first[e + 1] = first[e] + count[e];
                count[e] = 0;
            }
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < 2 * n; k++) {
            int at;
#pragma acc atomic capture
#pragma omp atomic capture
            at = count[expert[k]]++;
            place[k] = first[expert[k]] + at;
            source[place[k]] = k / 2;
        }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int e = 0; e < EXPERTS; e++) {
#pragma acc loop worker vector collapse(2)
            for (int k = first[e]; k < first[e + 1]; k++)
                for (int j = 0; j < WIDTH; j++) {
                    float v = gain[e] * x[source[k] * WIDTH + j] + offset[e];
                    sorted[k * WIDTH + j] = v / (1 + expf(-v));
                }
        }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int t = 0; t < n; t++)
            for (int j = 0; j < WIDTH; j++)
                y[t * WIDTH + j] = weight[2 * t] * sorted[place[2 * t] * WIDTH + j] +
                                   weight[2 * t + 1] * sorted[place[2 * t + 1] * WIDTH + j];
    }
}
#else
typedef float row[WIDTH];

#define SILU(v) ((v) / (1 + expf(-(v))))

static void mixture(size_t n, float *in, float *tokens, float *gain, float *offset, int *chosen, float *weight,
                    int *count, int *first, int *place, int *source, float *buffer, float *out)
{
    float(*scores)[EXPERTS] = (float(*)[EXPERTS])in;
    int(*expert)[2] = (int(*)[2])chosen;
    row *x = (row *)tokens, *sorted = (row *)buffer, *y = (row *)out;
#pragma acc data present(scores[0:n], x[0:n], gain[0:EXPERTS], offset[0:EXPERTS], expert[0:n], weight[0:2 * n]) \
    present(count[0:EXPERTS], first[0:EXPERTS + 1], place[0:2 * n], source[0:2 * n], sorted[0:2 * n], y[0:n])
    {
#pragma acc kernels loop independent
        for (unsigned e = 0; e < EXPERTS; ++e)
            count[e] = 0;
#pragma acc parallel loop gang vector_length(64)
#pragma omp parallel for
        for (size_t t = 0; t < n; ++t) {
            float most[2] = {-1e30f, -1e30f};
            for (unsigned b = 0; b < 2; ++b) {
                int at = EXPERTS, other = b ? expert[t][0] : -1;
                float best = most[b];
#pragma acc loop vector reduction(max : best)
                for (int e = 0; e < EXPERTS; ++e)
                    best = e == other ? best : fmaxf(best, scores[t][e]);
#pragma acc loop vector reduction(min : at)
                for (int e = 0; e < EXPERTS; ++e)
                    if (scores[t][e] == best && e != other)
                        at = e < at ? e : at;
                most[b] = best;
                expert[t][b] = at;
#pragma acc atomic
#pragma omp atomic
                ++count[at];
            }
            weight[2 * t] = 1 / (1 + expf(most[1] - most[0]));
            weight[2 * t + 1] = 1 - weight[2 * t];
        }
#pragma acc parallel loop seq num_gangs(1)
        for (unsigned e = 0; e <= EXPERTS; ++e)
            first[e] = e ? first[e - 1] + count[e - 1] : 0;
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (size_t k = 0; k < 2 * n; ++k) {
            const int e = expert[k / 2][k % 2];
            int left;
#pragma acc atomic capture
#pragma omp atomic capture
            left = --count[e];
            place[k] = first[e] + left;
            source[first[e] + left] = k;
        }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (size_t p = 0; p < 2 * n; ++p) {
            const size_t k = source[p];
            const float *from = x[k / 2], scale = gain[expert[k / 2][k % 2]], more = offset[expert[k / 2][k % 2]];
#pragma acc loop vector
            for (unsigned j = 0; j < WIDTH; ++j)
                sorted[p][j] = SILU(scale * from[j] + more);
        }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (size_t t = 0; t < n; ++t) {
            const float *one = sorted[place[2 * t]], *two = sorted[place[2 * t + 1]];
#pragma acc loop vector
            for (unsigned j = 0; j < WIDTH; ++j)
                y[t][j] = weight[2 * t] * one[j] + weight[2 * t + 1] * two[j];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TOKENS >> args.shift, *expert = NEW(int, 2 * n), *place = NEW(int, 2 * n), *source = NEW(int, 2 * n);
    int count[EXPERTS], first[EXPERTS + 1];
    float *scores = NEW(float, n * EXPERTS), *x = NEW(float, n * WIDTH), *y = NEW(float, n * WIDTH);
    float *sorted = NEW(float, 2 * n * WIDTH), *weight = NEW(float, 2 * n), gain[EXPERTS], offset[EXPERTS];
    double sum = 0;
    for (int k = 0; k < n * EXPERTS; k++)
        scores[k] = 4 * number(k) + number(k % EXPERTS);
    for (int k = 0; k < n * WIDTH; k++)
        x[k] = number(k) - 0.5;
    for (int e = 0; e < EXPERTS; e++) {
        gain[e] = 1 + number(e);
        offset[e] = number(e + EXPERTS) - 0.5;
    }
#pragma acc enter data copyin(scores[0:n * EXPERTS], x[0:n * WIDTH], gain, offset) create(expert[0:2 * n]) \
    create(weight[0:2 * n], count, first, place[0:2 * n], source[0:2 * n], sorted[0:2 * n * WIDTH], y[0:n * WIDTH])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        mixture(n, scores, x, gain, offset, expert, weight, count, first, place, source, sorted, y);
#pragma acc update self(y[0:n * WIDTH], expert[0:2 * n])
    for (int k = 0; k < n * WIDTH; k++)
        sum += fabsf(y[k]) * (1 + k % 3);
    for (int k = 0; k < 2 * n; k++)
        sum += expert[k];
    report("experts", t.best, sum);
    return 0;
}
