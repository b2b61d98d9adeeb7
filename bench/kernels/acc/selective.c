// A selective state space (Mamba), float: 4 sequences of 512 tokens, 2048 channels with 16
// states each, that decay by steps which the tokens choose, take in and give out what tokens say; beside a gate (SiLU).
// One channel follows its tokens in order.
#include "../kernels.h"

enum { BATCH = 4, TOKENS = 512, CHANNELS = 2048, STATES = 16 };

#if SPELLING == 1
static inline float softplus(float x) { return x > 20 ? x : log1pf(expf(x)); }
static inline float silu(float x) { return x / (1 + expf(-x)); }

static void scan(int batch, int tokens, int channels, const float *restrict x, const float *restrict delta,
                 const float *restrict a, const float *restrict b, const float *restrict c, const float *restrict d,
                 const float *restrict z, const float *restrict bias, float *restrict y)
{
    int all = batch * tokens * channels, few = batch * tokens * STATES;
#pragma acc parallel loop gang vector collapse(2) vector_length(64) \
    present(x[0:all], delta[0:all], a[0:channels * STATES], b[0:few], c[0:few], d[0:channels]) \
    present(z[0:all], bias[0:channels], y[0:all])
#pragma omp parallel for
    for (int s = 0; s < batch; s++)
        for (int h = 0; h < channels; h++) {
            float state[STATES], decay[STATES];
            for (int k = 0; k < STATES; k++) {
                state[k] = 0;
                decay[k] = a[h * STATES + k];
            }
            for (int t = 0; t < tokens; t++) {
                int row = s * tokens + t, at = row * channels + h;
                float dt = softplus(delta[at] + bias[h]), in = x[at], out = d[h] * in;
                for (int k = 0; k < STATES; k++) {
                    state[k] = expf(dt * decay[k]) * state[k] + dt * b[row * STATES + k] * in;
                    out += state[k] * c[row * STATES + k];
                }
                y[at] = out * silu(z[at]);
            }
        }
}
#else
struct layer { float *a, *d, *bias; };

#define SOFTPLUS(x) ((x) > 20 ? (x) : log1pf(expf(x)))

// A gang a channel of a sequence, a lane a state.
static void scan(size_t batch, size_t tokens, size_t channels, float (*x)[tokens][channels],
                 float (*delta)[tokens][channels], struct layer layer, float (*b)[tokens][STATES],
                 float (*c)[tokens][STATES], float (*z)[tokens][channels], float (*y)[tokens][channels])
{
    float *a = layer.a, *d = layer.d, *bias = layer.bias;
#pragma acc parallel loop gang collapse(2) vector_length(32) \
    present(x[0:batch][0:tokens][0:channels], delta[0:batch][0:tokens][0:channels], z[0:batch][0:tokens][0:channels], \
                y[0:batch][0:tokens][0:channels], b[0:batch][0:tokens][0:STATES], c[0:batch][0:tokens][0:STATES], \
                a[0:channels * STATES], d[0:channels], bias[0:channels])
#pragma omp parallel for collapse(2)
    for (size_t s = 0; s < batch; ++s)
        for (size_t h = 0; h < channels; ++h) {
            float state[STATES];
#pragma acc loop vector
            for (int k = 0; k < STATES; ++k)
                state[k] = 0;
#pragma acc loop seq
            for (size_t t = 0; t < tokens; ++t) {
                const float step = delta[s][t][h] + bias[h], dt = SOFTPLUS(step), gate = z[s][t][h],
                            in = dt * x[s][t][h];
                float out = 0;
#pragma acc loop vector reduction(+ : out)
                for (int k = 0; k < STATES; ++k) {
                    state[k] = state[k] * expf(dt * a[h * STATES + k]) + in * b[s][t][k];
                    out += state[k] * c[s][t][k];
                }
                y[s][t][h] = (out + d[h] * x[s][t][h]) * gate / (1 + expf(-gate));
            }
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = BATCH, tokens = TOKENS, channels = CHANNELS >> args.shift;
    int all = batch * tokens * channels, few = batch * tokens * STATES, own = channels * STATES;
    float *x = NEW(float, all), *delta = NEW(float, all), *z = NEW(float, all), *y = NEW(float, all);
    float *a = NEW(float, own), *b = NEW(float, few), *c = NEW(float, few), *d = NEW(float, channels),
          *bias = NEW(float, channels);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        x[k] = number(k) - 0.3;
        delta[k] = number(k + 1) - 0.5;
        z[k] = 2 * number(k + 2) - 0.5;
    }
    for (int k = 0; k < few; k++) {
        b[k] = number(k + 3) - 0.2;
        c[k] = number(k + 4) - 0.2;
    }
    for (int k = 0; k < own; k++)
        a[k] = -(k % STATES + 1) * (0.5 + number(k + 5));
    for (int k = 0; k < channels; k++) {
        d[k] = number(k + 6);
        bias[k] = -4 * number(k + 7);
    }
#pragma acc enter data copyin(x[0:all], delta[0:all], z[0:all], a[0:own], b[0:few], c[0:few], d[0:channels]) \
    copyin(bias[0:channels]) create(y[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        scan(batch, tokens, channels, x, delta, a, b, c, d, z, bias, y);
#else
        struct layer layer = {a, d, bias};
        scan(batch, tokens, channels, (float(*)[tokens][channels])x, (float(*)[tokens][channels])delta, layer,
             (float(*)[tokens][STATES])b, (float(*)[tokens][STATES])c, (float(*)[tokens][channels])z,
             (float(*)[tokens][channels])y);
#endif
    }
#pragma acc update self(y[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(y[k]) * (1 + k % 3);
    report("selective", t.best, sum);
    return 0;
}
