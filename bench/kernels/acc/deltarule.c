// A layer of linear attention with the gated delta rule, float: 256 heads of 64 x 64 numbers go through 512 tokens. At each the state decays, what it
// has for the token's key is compared with the token's value and corrected, and the query is answered.
#include "../kernels.h"

enum { HEADS = 256, TOKENS = 512, D = 64 };

#if SPELLING == 1
static void layer(int heads, const float *restrict q, const float *restrict k, const float *restrict v,
                  const float *restrict decay, const float *restrict beta, float *restrict out)
{
    const int all = heads * TOKENS;
#pragma acc parallel loop gang vector collapse(2) vector_length(64) present(q[0:all * D], k[0:all * D], v[0:all * D]) \
    present(decay[0:all], beta[0:all], out[0:all * D])
#pragma omp parallel for
    for (int h = 0; h < heads; h++)
        for (int j = 0; j < D; j++) {
            float state[D];
            for (int i = 0; i < D; i++)
                state[i] = 0;
            for (int t = h * TOKENS; t < (h + 1) * TOKENS; t++) {
                float known = 0, answer = 0;
                for (int i = 0; i < D; i++) {
                    state[i] *= decay[t];
                    known += state[i] * k[t * D + i];
                }
                float change = beta[t] * (v[t * D + j] - known);
                for (int i = 0; i < D; i++) {
                    state[i] += change * k[t * D + i];
                    answer += state[i] * q[t * D + i];
                }
                out[t * D + j] = answer;
            }
        }
}
#else
typedef float vector[D];
struct token { vector q, k, v; float decay, beta; };

static void layer(size_t heads, const struct token (*tokens)[TOKENS], vector (*out)[TOKENS])
{
    // rows of the state belong to workers, which share them by lanes
#pragma acc parallel loop gang num_workers(8) vector_length(32) present(tokens[0:heads], out[0:heads])
#pragma omp parallel for
    for (size_t h = 0; h < heads; ++h) {
        float state[D][D];
#pragma acc loop worker vector collapse(2)
        for (int j = 0; j < D; ++j)
            for (int i = 0; i < D; ++i)
                state[j][i] = 0;
#pragma acc loop seq
        for (size_t t = 0; t < TOKENS; ++t) {
            const struct token *here = &tokens[h][t];
#pragma acc loop worker
            for (int j = 0; j < D; ++j) {
                float known = 0, answer = 0;
#pragma acc loop vector reduction(+ : known)
                for (int i = 0; i < D; ++i)
                    known += state[j][i] * here->k[i];
                const float change = here->beta * (here->v[j] - here->decay * known);
#pragma acc loop vector reduction(+ : answer)
                for (int i = 0; i < D; ++i) {
                    const float now = here->decay * state[j][i] + change * here->k[i];
                    state[j][i] = now;
                    answer += now * here->q[i];
                }
                out[h][t][j] = answer;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int heads = HEADS >> args.shift, all = heads * TOKENS;
    float *q = NEW(float, all * D), *k = NEW(float, all * D), *v = NEW(float, all * D), *out = NEW(float, all * D);
    float *decay = NEW(float, all), *beta = NEW(float, all);
    double sum = 0;
    for (int t = 0; t < all; t++) {
        double length = 0;
        for (int i = 0; i < D; i++) {
            q[t * D + i] = number(3 * (t * D + i)) / 8;
            k[t * D + i] = number(3 * (t * D + i) + 1) - 0.3;
            v[t * D + i] = number(3 * (t * D + i) + 2);
            length += k[t * D + i] * k[t * D + i];
        }
        for (int i = 0; i < D; i++)
            k[t * D + i] /= sqrt(length);
        decay[t] = 0.9 + 0.1 * number(t + 11);
        beta[t] = 0.2 + 0.7 * number(t + 12);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(q[0:all * D], k[0:all * D], v[0:all * D], decay[0:all], beta[0:all]) create(out[0:all * D])
    while (lap(&t))
        layer(heads, q, k, v, decay, beta, out);
#else
    struct token *tokens = NEW(struct token, all);
    for (int s = 0; s < all; s++) {
        for (int i = 0; i < D; i++) {
            tokens[s].q[i] = q[s * D + i];
            tokens[s].k[i] = k[s * D + i];
            tokens[s].v[i] = v[s * D + i];
        }
        tokens[s].decay = decay[s];
        tokens[s].beta = beta[s];
    }
#pragma acc enter data copyin(tokens[0:all]) create(out[0:all * D])
    while (lap(&t))
        layer(heads, (const struct token(*)[TOKENS])tokens, (vector(*)[TOKENS])out);
#endif
#pragma acc update self(out[0:all * D])
    for (int i = 0; i < all * D; i++)
        sum += fabsf(out[i]) * (1 + i % 5);
    report("deltarule", t.best, sum);
    return 0;
}
