// Rotary embedding of the queries (32 heads) and keys (8 heads) of 8 x 2048 tokens, 128 floats a head: halves of a head are turned by angles from a table.
#include "../kernels.h"

enum { BATCH = 8, LENGTH = 2048, QUERIES = 32, KEYS = 8, WIDTH = 128, HALF = WIDTH / 2 };

#if SPELLING == 1
static void rotate(int length, int heads, const float *restrict cosine, const float *restrict sine, const float *restrict x, float *restrict y)
{
    int all = BATCH * length * heads * WIDTH;
#pragma acc parallel loop collapse(4) present(cosine[0:length * HALF], sine[0:length * HALF], x[0:all], y[0:all])
#pragma omp parallel for collapse(3)
    for (int b = 0; b < BATCH; b++)
        for (int t = 0; t < length; t++)
            for (int h = 0; h < heads; h++)
                for (int d = 0; d < HALF; d++) {
                    int at = ((b * length + t) * heads + h) * WIDTH + d;
                    float c = cosine[t * HALF + d], s = sine[t * HALF + d];
                    float even = x[at], odd = x[at + HALF];
                    y[at] = even * c - odd * s;
                    y[at + HALF] = odd * c + even * s;
                }
}
#else
struct pair { float re, im; };

static struct pair turn(struct pair z, struct pair w) { return (struct pair){z.re * w.re - z.im * w.im, z.im * w.re + z.re * w.im}; }

static void rotate(size_t length, size_t heads, float *cosine, float *sine, float *x, float *y)
{
    float(*from)[heads][2][HALF] = (void *)x, (*to)[heads][2][HALF] = (void *)y;
#pragma acc parallel present(cosine[0:length * HALF], sine[0:length * HALF], from[0:BATCH * length], to[0:BATCH * length])
#pragma acc loop gang
#pragma omp parallel for
    for (size_t token = 0; token < BATCH * length; ++token) {
        size_t t = token % length;
#pragma acc loop worker
        for (size_t h = 0; h < heads; ++h) {
#pragma acc loop vector
            for (size_t d = 0; d < HALF; ++d) {
                struct pair w = {cosine[t * HALF + d], sine[t * HALF + d]};
                struct pair z = {from[token][h][0][d], from[token][h][1][d]};
                z = turn(z, w);
                to[token][h][0][d] = z.re;
                to[token][h][1][d] = z.im;
            }
        }
    }
}
#endif

static void angles(int length, float *cosine, float *sine)
{
    for (int t = 0; t < length; t++)
        for (int d = 0; d < HALF; d++) {
            double angle = t * pow(10000, -(double)d / HALF);
            cosine[t * HALF + d] = (float)cos(angle);
            sine[t * HALF + d] = (float)sin(angle);
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int length = LENGTH >> args.shift, nq = BATCH * length * QUERIES * WIDTH, nk = BATCH * length * KEYS * WIDTH;
    float *cosine = NEW(float, length *HALF), *sine = NEW(float, length *HALF), *q = NEW(float, nq), *k = NEW(float, nk), *q2 = NEW(float, nq),
          *k2 = NEW(float, nk);
    double sum = 0;
    angles(length, cosine, sine);
    FILL(q, nq, 1);
    FILL(k, nk, 2);
#pragma acc enter data copyin(cosine[0:length * HALF], sine[0:length * HALF], q[0:nq], k[0:nk]) create(q2[0:nq], k2[0:nk])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        rotate(length, QUERIES, cosine, sine, q, q2);
        rotate(length, KEYS, cosine, sine, k, k2);
    }
#pragma acc update self(q2[0:nq], k2[0:nk])
    for (int i = 0; i < nq; i++)
        sum += fabs(q2[i]);
    for (int i = 0; i < nk; i++)
        sum += fabs(k2[i]);
    report("rope", t.best, sum);
    return 0;
}
