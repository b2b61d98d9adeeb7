// Attention of 16 heads with 512 queries and keys of 64 numbers each, float: scores, softmax and the mean of the values, a gang for
// each query.
#include "../kernels.h"

enum { HEADS = 16, LENGTH = 512, WIDTH = 64 };

#if SPELLING == 1
static void attend(int heads, int length, const float *restrict q, const float *restrict k, const float *restrict v,
                   float *restrict out)
{
    int all = heads * length * WIDTH;
#pragma acc parallel loop gang collapse(2) present(q[0:all], k[0:all], v[0:all], out[0:all])
#pragma omp parallel for collapse(2)
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < length; i++) {
            float score[LENGTH], most = -1e30f, sum = 0;
#pragma acc loop vector reduction(max : most)
            for (int j = 0; j < length; j++) {
                float s = 0;
                for (int c = 0; c < WIDTH; c++)
                    s += q[(h * length + i) * WIDTH + c] * k[(h * length + j) * WIDTH + c];
                score[j] = s * 0.125f;
                most = fmaxf(most, score[j]);
            }
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < length; j++) {
                score[j] = expf(score[j] - most);
                sum += score[j];
            }
#pragma acc loop vector
            for (int c = 0; c < WIDTH; c++) {
                float s = 0;
                for (int j = 0; j < length; j++)
                    s += score[j] * v[(h * length + j) * WIDTH + c];
                out[(h * length + i) * WIDTH + c] = s / sum;
            }
        }
}
#elif SPELLING == 3
static void attend(int nh, int T, const float *query, const float *key, const float *value, float *out)
{
    const float scale = 1.0f / sqrtf((float)WIDTH);
    const int all = nh * T * WIDTH;
#pragma acc parallel loop gang collapse(2) vector_length(128) present(query[0:all], key[0:all], value[0:all], out[0:all])
    for (int h = 0; h < nh; h++)
        for (int t = 0; t < T; t++) {
            const float *query_t = query + (h * T + t) * WIDTH;
            float att[LENGTH];
            float maxval = -10000.0f;
#pragma acc loop vector reduction(max : maxval)
            for (int t2 = 0; t2 < T; t2++) {
                const float *key_t2 = key + (h * T + t2) * WIDTH;
                float val = 0.0f;
                for (int i = 0; i < WIDTH; i++)
                    val += query_t[i] * key_t2[i];
                val *= scale;
                if (val > maxval)
                    maxval = val;
                att[t2] = val;
            }
            float expsum = 0.0f;
#pragma acc loop vector reduction(+ : expsum)
            for (int t2 = 0; t2 < T; t2++) {
                float expv = expf(att[t2] - maxval);
                expsum += expv;
                att[t2] = expv;
            }
            float expsum_inv = expsum == 0.0f ? 0.0f : 1.0f / expsum;
#pragma acc loop vector
            for (int t2 = 0; t2 < T; t2++)
                att[t2] *= expsum_inv;
            float *out_t = out + (h * T + t) * WIDTH;
#pragma acc loop vector
            for (int i = 0; i < WIDTH; i++) {
                out_t[i] = 0.0f;
                for (int t2 = 0; t2 < T; t2++)
                    out_t[i] += att[t2] * value[(h * T + t2) * WIDTH + i];
            }
        }
}
#elif SPELLING == 4
static float scores[HEADS][LENGTH][LENGTH];
#pragma acc declare create(scores)
#define AT(p, h, i, c) p[((h) * length + (i)) * WIDTH + (c)]
static void attend(int heads, int length, const float *restrict q, const float *restrict k, const float *restrict v, float *restrict out)
{
#pragma acc parallel loop collapse(3) default(present)
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < length; i++)
            for (int j = 0; j < length; j++) {
                float dot = 0;
                for (int c = 0; c < WIDTH; c++)
                    dot += AT(q, h, i, c) * AT(k, h, j, c);
                scores[h][i][j] = dot / 8;
            }
#pragma acc parallel loop gang collapse(2) default(present)
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < length; i++) {
            float most = scores[h][i][0], sum = 0;
#pragma acc loop vector reduction(max : most)
            for (int j = 0; j < length; j++)
                most = fmaxf(most, scores[h][i][j]);
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < length; j++)
                sum += scores[h][i][j] = expf(scores[h][i][j] - most);
#pragma acc loop vector
            for (int j = 0; j < length; j++)
                scores[h][i][j] /= sum;
        }
#pragma acc parallel loop collapse(3) default(present)
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < length; i++)
            for (int c = 0; c < WIDTH; c++) {
                float s = 0;
                for (int j = 0; j < length; j++)
                    s += scores[h][i][j] * AT(v, h, j, c);
                AT(out, h, i, c) = s;
            }
}
#else
typedef float vector[WIDTH];

#pragma acc routine seq
static float product(const float *a, const float *b)
{
    float s = 0;
    for (size_t c = 0; c < WIDTH; ++c)
        s += a[c] * b[c];
    return s;
}

static void attend(size_t heads, size_t length, vector *q, vector *k, vector *v, vector *out)
{
#pragma acc parallel present(q[0:heads * length], k[0:heads * length], v[0:heads * length], out[0:heads * length])
#pragma acc loop gang
#pragma omp parallel for
    for (size_t row = 0; row < heads * length; ++row) {
        vector *keys = k + row / length * length, *values = v + row / length * length;
        float score[LENGTH], most = -INFINITY, sum = 0;
#pragma acc loop vector reduction(max : most)
        for (size_t j = 0; j < length; ++j) {
            score[j] = product(q[row], keys[j]) / 8;
            if (score[j] > most)
                most = score[j];
        }
#pragma acc loop vector reduction(+ : sum)
        for (size_t j = 0; j < length; ++j)
            sum += score[j] = expf(score[j] - most);
#pragma acc loop vector
        for (unsigned c = 0; c < WIDTH; ++c) {
            float s = 0;
            for (size_t j = 0; j < length; ++j)
                s += score[j] * values[j][c];
            out[row][c] = s / sum;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int heads = HEADS >> args.shift, length = LENGTH;
    if (heads == 0)
        heads = 1, length = 32;
    int all = heads * length * WIDTH;
    float *q = NEW(float, all), *k = NEW(float, all), *v = NEW(float, all), *out = NEW(float, all);
    double sum = 0;
    FILL(q, all, 1);
    for (int i = 0; i < all; i++)
        k[i] = number(i + 5) - 0.5, v[i] = number(i + 9);
#pragma acc enter data copyin(q[0:all], k[0:all], v[0:all]) create(out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        attend(heads, length, q, k, v, out);
#else
        attend(heads, length, (vector *)q, (vector *)k, (vector *)v, (vector *)out);
#endif
    }
#pragma acc update self(out[0:all])
    for (int i = 0; i < all; i++)
        sum += out[i] * (1 + i % 7);
    report("attention", t.best, sum);
    return 0;
}
