// 2^17 samples of 32 numbers go down 96 boosted trees of up to 255 nodes, float: left where a number is below the threshold of the node, until a
// leaf, whose value is added.
#include "../kernels.h"

enum { SAMPLES = 1 << 17, FEATURES = 32, TREES = 96, NODES = 255, DEPTH = 9 };

#if SPELLING == 1
static int predict(int n, const float *restrict x, const int *restrict feature, const float *restrict value, const int *restrict left,
                   float *restrict score)
{
    int positive = 0;
#pragma acc parallel loop reduction(+ : positive) present(x[0:n * FEATURES], feature[0:TREES * NODES], value[0:TREES * NODES],                 \
                                                              left[0:TREES * NODES], score[0:n])
#pragma omp parallel for reduction(+ : positive)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int t = 0; t < TREES; t++) {
            int k = t * NODES;
            while (feature[k] >= 0) {
                if (x[i * FEATURES + feature[k]] < value[k])
                    k = t * NODES + left[k];
                else
                    k = t * NODES + left[k] + 1;
            }
            sum += value[k];
        }
        score[i] = sum;
        if (sum > 0)
            positive++;
    }
    return positive;
}
#else
typedef struct { int feature, left; float value; } node;
typedef struct { node nodes[NODES]; } tree;
typedef struct { float x[FEATURES]; } sample;

#define LEAF(p) ((p)->feature < 0)

#pragma acc routine seq
static float leaf(const tree *t, const sample *s)
{
    const node *p = t->nodes;
    while (!LEAF(p))
        p = &t->nodes[p->left + (s->x[p->feature] >= p->value)];
    return p->value;
}

static size_t predict(size_t n, const sample *samples, const tree *trees, float *score)
{
    size_t positive = 0;
#pragma acc parallel loop gang present(samples[0:n], trees[0:TREES], score[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        float sum = 0.0f;
#pragma acc loop vector reduction(+ : sum)
        for (size_t t = 0; t < TREES; ++t)
            sum += leaf(&trees[t], &samples[i]);
        score[i] = sum;
    }
#pragma acc parallel loop reduction(+ : positive) present(score[0:n])
#pragma omp parallel for reduction(+ : positive)
    for (size_t i = 0; i < n; ++i)
        positive += score[i] > 0.0f ? 1 : 0;
    return positive;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift;
    float *x = NEW(float, n *FEATURES), *value = NEW(float, TREES *NODES), *score = NEW(float, n);
    int *feature = NEW(int, TREES *NODES), *left = NEW(int, TREES *NODES);
    double sum = 0;
    long positive = 0;
    FILL(x, n * FEATURES, 1);
    for (int t = 0; t < TREES; t++) {
        int used = 1, depth[NODES] = {0};
        for (int k = 0; k < NODES; k++) {
            unsigned dice = mix(t * NODES + k + 77);
            int at = t * NODES + k, split = k < used && used + 2 <= NODES && depth[k] < DEPTH && (depth[k] < 3 || dice % 8 > 0);
            feature[at] = split ? (int)(dice / 8 % FEATURES) : -1;
            left[at] = split ? used : 0;
            // Values of leaves are whole multiples of 1/1024, so that sums are exact.
            value[at] = split ? (float)(0.25 + 0.5 * number(at)) : ((int)(dice / 64 % 2048) - 1024) / 1024.0f;
            if (split) {
                depth[used] = depth[used + 1] = depth[k] + 1;
                used += 2;
            }
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:n * FEATURES], feature[0:TREES * NODES], value[0:TREES * NODES], left[0:TREES * NODES]) create(score[0:n])
    while (lap(&t))
        positive = predict(n, x, feature, value, left, score);
#else
    tree *trees = NEW(tree, TREES);
    sample *samples = (sample *)x;
    for (int k = 0; k < TREES * NODES; k++)
        trees[k / NODES].nodes[k % NODES] = (node){feature[k], left[k], value[k]};
#pragma acc enter data copyin(samples[0:n], trees[0:TREES]) create(score[0:n])
    while (lap(&t))
        positive = (long)predict(n, samples, trees, score);
#endif
#pragma acc update self(score[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(score[i]);
    report("forest", t.best, sum + positive);
    return 0;
}
