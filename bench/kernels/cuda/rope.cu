// Rotary embedding of the queries (32 heads) and keys (8 heads) of 8 x 2048 tokens, 128 floats a head: a block a token, a thread two pairs of each fourth head.
#include "kernels.cuh"

enum { BATCH = 8, LENGTH = 2048, QUERIES = 32, KEYS = 8, WIDTH = 128, HALF = WIDTH / 2 };

__global__ void rotate(int length, int heads, const float *__restrict__ cosine, const float *__restrict__ sine, const float *__restrict__ x,
                       float *__restrict__ y)
{
    int token = blockIdx.x, t = token % length, d = 2 * threadIdx.x;
    float2 c = *(const float2 *)&cosine[t * HALF + d], s = *(const float2 *)&sine[t * HALF + d];
    for (int h = threadIdx.y; h < heads; h += blockDim.y) {
        size_t at = ((size_t)token * heads + h) * WIDTH + d;
        float2 even = *(const float2 *)&x[at], odd = *(const float2 *)&x[at + HALF], a, b;
        a.x = even.x * c.x - odd.x * s.x;
        a.y = even.y * c.y - odd.y * s.y;
        b.x = odd.x * c.x + even.x * s.x;
        b.y = odd.y * c.y + even.y * s.y;
        *(float2 *)&y[at] = a;
        *(float2 *)&y[at + HALF] = b;
    }
}

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
    float *cosine = NEW(float, length * HALF), *sine = NEW(float, length * HALF), *q = NEW(float, nq), *k = NEW(float, nk), *q2 = NEW(float, nq),
          *k2 = NEW(float, nk);
    double sum = 0;
    angles(length, cosine, sine);
    FILL(q, nq, 1);
    FILL(k, nk, 2);
    float *dc = on_device(cosine, length * HALF), *ds = on_device(sine, length * HALF), *dq = on_device(q, nq), *dk = on_device(k, nk),
          *dq2 = device<float>(nq), *dk2 = device<float>(nk);
    double best = fastest(args.repeats, [&] {
        rotate<<<BATCH * length, dim3(32, 8)>>>(length, QUERIES, dc, ds, dq, dq2);
        rotate<<<BATCH * length, dim3(32, 8)>>>(length, KEYS, dc, ds, dk, dk2);
    });
    to_host(q2, dq2, nq);
    to_host(k2, dk2, nk);
    for (int i = 0; i < nq; i++)
        sum += fabs(q2[i]);
    for (int i = 0; i < nk; i++)
        sum += fabs(k2[i]);
    report("rope", best, sum);
    return 0;
}
