// Decoding of 512 frames of a low-density parity-check code with 2048 bits and 1024 checks of 4 to 8 bits each, float: ten iterations in which
// each check passes scaled minima with signs to its bits, and each bit sums back to its three checks; at last the checks that fail are counted.
#include "../kernels.h"

enum { BITS = 2048, FRAMES = 512, DEGREE = 3, ITERATIONS = 10 };

#if SPELLING == 1
// Edges are in the order of their checks; the frames of an edge lie together.
static int decode(int bits, const int *restrict start, const int *restrict bit, const int *restrict edge, const float *restrict received,
                  float *restrict message, float *restrict total)
{
    int checks = bits / 2, edges = DEGREE * bits, failed = 0;
#pragma acc parallel loop collapse(2) async present(bit[0:edges], received[0:bits * FRAMES], message[0:edges * FRAMES])
#pragma omp parallel for
    for (int e = 0; e < edges; e++)
        for (int f = 0; f < FRAMES; f++)
            message[e * FRAMES + f] = received[bit[e] * FRAMES + f];
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
#pragma acc parallel loop collapse(2) async present(start[0:checks + 1], message[0:edges * FRAMES])
#pragma omp parallel for
        for (int c = 0; c < checks; c++)
            for (int f = 0; f < FRAMES; f++) {
                float least = 1e30f, second = 1e30f;
                int where = -1, negative = 0;
                for (int e = start[c]; e < start[c + 1]; e++) {
                    float m = message[e * FRAMES + f], size = fabsf(m);
                    negative ^= m < 0;
                    if (size < least) {
                        second = least;
                        least = size;
                        where = e;
                    } else if (size < second)
                        second = size;
                }
                for (int e = start[c]; e < start[c + 1]; e++) {
                    float size = 0.75f * (e == where ? second : least);
                    message[e * FRAMES + f] = (negative ^ (message[e * FRAMES + f] < 0)) ? -size : size;
                }
            }
#pragma acc parallel loop collapse(2) async present(edge[0:edges], received[0:bits * FRAMES], message[0:edges * FRAMES], total[0:bits * FRAMES])
#pragma omp parallel for
        for (int b = 0; b < bits; b++)
            for (int f = 0; f < FRAMES; f++) {
                float sum = received[b * FRAMES + f];
                for (int d = 0; d < DEGREE; d++)
                    sum += message[edge[b * DEGREE + d] * FRAMES + f];
                for (int d = 0; d < DEGREE; d++) {
                    int e = edge[b * DEGREE + d];
                    message[e * FRAMES + f] = sum - message[e * FRAMES + f];
                }
                total[b * FRAMES + f] = sum;
            }
    }
#pragma acc parallel loop collapse(2) reduction(+ : failed) async present(start[0:checks + 1], bit[0:edges], total[0:bits * FRAMES])
#pragma omp parallel for reduction(+ : failed)
    for (int c = 0; c < checks; c++)
        for (int f = 0; f < FRAMES; f++) {
            int odd = 0;
            for (int e = start[c]; e < start[c + 1]; e++)
                odd ^= total[bit[e] * FRAMES + f] < 0;
            failed += odd;
        }
#pragma acc wait
    return failed;
}
#else
struct code {
    size_t bits, checks, edges;
    unsigned *start, *bit, (*edge)[DEGREE];
};

#define EACH_EDGE(e, c) for (unsigned e = start[c]; e < start[(c) + 1]; ++e)

static void check_nodes(const struct code *code, float (*message)[FRAMES])
{
    const size_t checks = code->checks, edges = code->edges;
    const unsigned *start = code->start;
#pragma acc parallel loop gang async(1) vector_length(128) present(start[0:checks + 1], message[0:edges])
#pragma omp parallel for
    for (size_t c = 0; c < checks; ++c) {
#pragma acc loop vector
        for (int f = 0; f < FRAMES; ++f) {
            float min1 = INFINITY, min2 = INFINITY, sign = 1.0f;
            unsigned at = start[c];
            EACH_EDGE(e, c) {
                float m = message[e][f];
                if (m < 0.0f)
                    sign = -sign;
                m = fabsf(m);
                if (m < min1) {
                    min2 = min1;
                    min1 = m;
                    at = e;
                } else
                    min2 = fminf(min2, m);
            }
            EACH_EDGE(e, c) {
                float m = e == at ? min2 : min1;
                message[e][f] = (message[e][f] < 0.0f ? -sign : sign) * 0.75f * m;
            }
        }
    }
}

static void bit_nodes(const struct code *code, float (*received)[FRAMES], float (*message)[FRAMES], float (*total)[FRAMES])
{
    const size_t bits = code->bits, edges = code->edges;
    unsigned(*edge)[DEGREE] = code->edge;
#pragma acc parallel loop gang async(1) vector_length(128) present(edge[0:bits], received[0:bits], message[0:edges], total[0:bits])
#pragma omp parallel for
    for (size_t b = 0; b < bits; ++b) {
#pragma acc loop vector
        for (int f = 0; f < FRAMES; ++f) {
            float in[DEGREE], sum = received[b][f];
            for (int d = 0; d < DEGREE; ++d) {
                in[d] = message[edge[b][d]][f];
                sum += in[d];
            }
            for (int d = 0; d < DEGREE; ++d)
                message[edge[b][d]][f] = sum - in[d];
            total[b][f] = sum;
        }
    }
}

static size_t decode(const struct code *code, float (*received)[FRAMES], float (*message)[FRAMES], float (*total)[FRAMES])
{
    const size_t bits = code->bits, checks = code->checks, edges = code->edges;
    const unsigned *start = code->start, *bit = code->bit;
    size_t failed = 0;
#pragma acc parallel loop gang async(1) vector_length(128) present(bit[0:edges], received[0:bits], message[0:edges])
#pragma omp parallel for
    for (size_t e = 0; e < edges; ++e) {
#pragma acc loop vector
        for (int f = 0; f < FRAMES; ++f)
            message[e][f] = received[bit[e]][f];
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        check_nodes(code, message);
        bit_nodes(code, received, message, total);
    }
#pragma acc parallel loop gang async(1) vector_length(128) reduction(+ : failed) present(start[0:checks + 1], bit[0:edges], total[0:bits])
#pragma omp parallel for reduction(+ : failed)
    for (size_t c = 0; c < checks; ++c) {
#pragma acc loop vector reduction(+ : failed)
        for (int f = 0; f < FRAMES; ++f) {
            unsigned ones = 0;
            EACH_EDGE(e, c)
                ones += total[bit[e]][f] < 0.0f;
            failed += ones % 2;
        }
    }
#pragma acc wait(1)
    return failed;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bits = BITS >> args.shift, checks = bits / 2, edges = DEGREE * bits, many[BITS] = {0};
    int *start = NEW(int, checks + 1), *bit = NEW(int, edges), *edge = NEW(int, edges);
    float *received = NEW(float, bits * FRAMES), *message = NEW(float, edges * FRAMES), *total = NEW(float, bits * FRAMES);
    double sum = 0;
    long failed = 0;
    start[0] = 0;
    for (int c = 0; c < checks; c++)
        start[c + 1] = start[c] + 4 + (c % 4 == 0 ? 0 : c % 4 == 3 ? 4 : 2);
    for (int e = 0; e < edges; e++)
        bit[e] = e % bits;
    for (int e = edges - 1; e > 0; e--) {
        int other = mix(e) % (e + 1), b = bit[e];
        bit[e] = bit[other];
        bit[other] = b;
    }
    for (int e = 0; e < edges; e++)
        edge[bit[e] * DEGREE + many[bit[e]]++] = e;
    for (int k = 0; k < bits * FRAMES; k++) {
        double noise = -6;
        for (int r = 0; r < 12; r++)
            noise += number(12 * k + r);
        received[k] = 2 * (1 + 0.8 * noise);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(start[0:checks + 1], bit[0:edges], edge[0:edges], received[0:bits * FRAMES])                    \
    create(message[0:edges * FRAMES], total[0:bits * FRAMES])
    while (lap(&t))
        failed = decode(bits, start, bit, edge, received, message, total);
#else
    unsigned *first = (unsigned *)start, *bit_of = (unsigned *)bit, (*edge_of)[DEGREE] = (unsigned(*)[DEGREE])edge;
    float(*in)[FRAMES] = (float(*)[FRAMES])received, (*between)[FRAMES] = (float(*)[FRAMES])message, (*out)[FRAMES] = (float(*)[FRAMES])total;
    struct code code = {bits, checks, edges, first, bit_of, edge_of};
#pragma acc enter data copyin(first[0:checks + 1], bit_of[0:edges], edge_of[0:bits], in[0:bits]) create(between[0:edges], out[0:bits])
    while (lap(&t))
        failed = decode(&code, in, between, out);
#endif
#pragma acc update self(total[0:bits * FRAMES])
    for (int k = 0; k < bits * FRAMES; k++)
        sum += fabsf(total[k]) + (total[k] < 0);
    report("parity", t.best, sum + failed);
    return 0;
}
