// The loss of connectionist temporal classification and its gradient for 256 spoken sentences of 256 frames and 64 letters of
// 31 and a blank, float: forward sums of 129 states in logarithms, then backward ones, a gang a sentence.
#include "../kernels.h"

enum { SENTENCES = 256, FRAMES = 256, LETTERS = 64, STATES = 2 * LETTERS + 1, CLASSES = 32 };

#define NEVER -1e30f

#if SPELLING == 1
static inline float add(float a, float b)
{
    float most = a > b ? a : b, least = a > b ? b : a;
    return most <= NEVER ? NEVER : most + log1pf(expf(least - most));
}

static void ctc(int n, const float *restrict logs, const int *restrict label, float *restrict alpha,
                float *restrict loss, float *restrict gradient)
{
#pragma acc parallel loop gang present(logs[0:n * FRAMES * CLASSES], label[0:n * LETTERS]) \
    present(alpha[0:n * FRAMES * STATES], loss[0:n], gradient[0:n * FRAMES * CLASSES])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        const float *p = logs + s * FRAMES * CLASSES;
        const int *l = label + s * LETTERS;
        float *a = alpha + s * FRAMES * STATES, *g = gradient + s * FRAMES * CLASSES, beta[2][STATES];
#pragma acc loop vector
        for (int k = 0; k < STATES; k++)
            a[k] = k == 0 ? p[0] : k == 1 ? p[l[0]] : NEVER;
#pragma acc loop seq
        for (int t = 1; t < FRAMES; t++) {
#pragma acc loop vector
            for (int k = 0; k < STATES; k++) {
                int c = k % 2 ? l[k / 2] : 0;
                float sum = a[(t - 1) * STATES + k];
                if (k > 0)
                    sum = add(sum, a[(t - 1) * STATES + k - 1]);
                if (k % 2 && k > 1 && c != l[k / 2 - 1])
                    sum = add(sum, a[(t - 1) * STATES + k - 2]);
                a[t * STATES + k] = sum + p[t * CLASSES + c];
            }
        }
        float total = add(a[FRAMES * STATES - 1], a[FRAMES * STATES - 2]);
        loss[s] = -total;
#pragma acc loop seq
        for (int t = FRAMES - 1; t >= 0; t--) {
            const float *next = beta[(t + 1) % 2];
            float *now = beta[t % 2];
#pragma acc loop vector
            for (int c = 0; c < CLASSES; c++)
                g[t * CLASSES + c] = expf(p[t * CLASSES + c]);
#pragma acc loop vector
            for (int k = 0; k < STATES; k++) {
                int c = k % 2 ? l[k / 2] : 0;
                float sum = k >= STATES - 2 ? 0 : NEVER;
                if (t < FRAMES - 1) {
                    sum = next[k];
                    if (k < STATES - 1)
                        sum = add(sum, next[k + 1]);
                    if (k % 2 && k < STATES - 2 && c != l[k / 2 + 1])
                        sum = add(sum, next[k + 2]);
                }
                float share = expf(a[t * STATES + k] + sum - total);
                now[k] = sum + p[t * CLASSES + c];
#pragma acc atomic update
                g[t * CLASSES + c] -= share;
            }
        }
    }
}
#else
typedef float classes[CLASSES];
typedef float states[STATES];

#define LETTER(k) ((k) & 1 ? l[(k) >> 1] : 0)
#define SKIPS(k) (((k) & 1) && (k) > 1 && l[(k) >> 1] != l[((k) >> 1) - 1])

#pragma acc routine seq
static float logsum(float a, float b, float c)
{
    float most = fmaxf(a, fmaxf(b, c));
    if (most <= NEVER)
        return NEVER;
    return most + logf(expf(a - most) + expf(b - most) + expf(c - most));
}

static void ctc(size_t n, float *in, int (*label)[LETTERS], float *forward, float *loss, float *out)
{
    classes(*logs)[FRAMES] = (classes(*)[FRAMES])in, (*gradient)[FRAMES] = (classes(*)[FRAMES])out;
    states(*alpha)[FRAMES] = (states(*)[FRAMES])forward;
#pragma acc parallel num_gangs(n) vector_length(160) \
    present(logs[0:n], label[0:n], alpha[0:n], loss[0:n], gradient[0:n])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (size_t s = 0; s < n; ++s) {
            const int *l = label[s];
            float beta[STATES + 2], sums[STATES], total;
            for (unsigned t = 0; t < FRAMES; ++t) {
#pragma acc loop vector
                for (unsigned k = 0; k < STATES; ++k) {
                    float stay = t ? alpha[s][t - 1][k] : k ? NEVER : 0;
                    float one = t && k ? alpha[s][t - 1][k - 1] : k == 1 ? 0 : NEVER;
                    float two = t && SKIPS(k) ? alpha[s][t - 1][k - 2] : NEVER;
                    alpha[s][t][k] = logsum(stay, one, two) + logs[s][t][LETTER(k)];
                }
            }
            total = logsum(alpha[s][FRAMES - 1][STATES - 1], alpha[s][FRAMES - 1][STATES - 2], NEVER);
            loss[s] = -total;
#pragma acc loop vector
            for (unsigned k = 0; k < STATES + 2; ++k)
                beta[k] = NEVER;
            for (int t = FRAMES - 1; t >= 0; --t) {
                float blank = 0;
#pragma acc loop vector
                for (unsigned k = 0; k < STATES; ++k) {
                    float end = t == FRAMES - 1 && k >= STATES - 2 ? 0 : NEVER;
                    float two = k < STATES - 2 && SKIPS(k + 2) ? beta[k + 2] : NEVER;
                    sums[k] = t == FRAMES - 1 ? end : logsum(beta[k], beta[k + 1], two);
                }
#pragma acc loop vector reduction(+ : blank)
                for (unsigned k = 0; k < STATES; k += 2) {
                    blank += expf(alpha[s][t][k] + sums[k] - total);
                    beta[k] = sums[k] + logs[s][t][0];
                }
#pragma acc loop vector
                for (unsigned c = 0; c < CLASSES; ++c)
                    gradient[s][t][c] = expf(logs[s][t][c]) - (c ? 0 : blank);
#pragma acc loop vector
                for (unsigned k = 1; k < STATES; k += 2) {
#pragma acc atomic
                    gradient[s][t][l[k / 2]] -= expf(alpha[s][t][k] + sums[k] - total);
                    beta[k] = sums[k] + logs[s][t][l[k / 2]];
                }
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SENTENCES >> args.shift, all = n * FRAMES * CLASSES, (*label)[LETTERS] = (int(*)[LETTERS])NEW(int, n * LETTERS);
    float *logs = NEW(float, all), *gradient = NEW(float, all), *alpha = NEW(float, n * FRAMES * STATES);
    float *loss = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n * LETTERS; k++)
        label[k / LETTERS][k % LETTERS] = 1 + mix(k) % (CLASSES - 1);
    for (int k = 0; k < n * FRAMES; k++) {
        double norm = 0;
        int right = label[k / FRAMES][k % FRAMES * LETTERS / FRAMES];
        for (int c = 0; c < CLASSES; c++) {
            int i = k * CLASSES + c;
            logs[i] = 3 * number(i) + (c == right && k % 3 ? 3 : 0) + (c == 0 ? 1.5 : 0);
            norm += exp(logs[i]);
        }
        for (int c = 0; c < CLASSES; c++)
            logs[k * CLASSES + c] -= log(norm);
    }
#pragma acc enter data copyin(logs[0:all], label[0:n]) create(gradient[0:all], alpha[0:n * FRAMES * STATES], loss[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        ctc(n, logs, label[0], alpha, loss, gradient);
#else
        ctc(n, logs, label, alpha, loss, gradient);
#endif
#pragma acc update self(gradient[0:all], loss[0:n])
    for (int s = 0; s < n; s++)
        sum += loss[s];
    for (int k = 0; k < all; k++)
        sum += 1e-3 * gradient[k] * (1 + k % CLASSES + k / CLASSES % 3);
    report("ctc", t.best, sum);
    return 0;
}
