// The likelihood of a tree of 32 sequences by Felsenstein's pruning, float: 2^16 patterns of sites, 4 bases, 4 classes of rates; a launch for
// each inner node multiplies what its two children give, scaled by the largest, and the logarithms at the root are summed.
#include "../kernels.h"

enum { PATTERNS = 1 << 16, TIPS = 32, NODES = 2 * TIPS - 1, INNER = TIPS - 1, CLASSES = 4, BASES = 4, UNKNOWN = 4 };

struct join { int left, right; };

#if SPELLING == 1
// Nodes from TIPS on are inner ones, in an order where children come first.
static double likelihood(int n, const struct join *tree, const unsigned char *restrict tips, const float *restrict matrices,
                         float *partials, float *restrict scale, const float *restrict weight, const float *restrict frequency)
{
#pragma acc parallel loop async present(scale[0:n])
#pragma omp parallel for simd
    for (int p = 0; p < n; p++)
        scale[p] = 0;
    for (int node = 0; node < INNER; node++) {
        int left = tree[node].left, right = tree[node].right;
#pragma acc parallel loop async present(tips[0:TIPS * n], matrices[0:NODES * 64], partials[0:INNER * 16 * n], scale[0:n])
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            float all[CLASSES * BASES], largest = 0;
            for (int c = 0; c < CLASSES; c++)
                for (int s = 0; s < BASES; s++) {
                    const float *ml = &matrices[(left * CLASSES + c) * 16 + 4 * s], *mr = &matrices[(right * CLASSES + c) * 16 + 4 * s];
                    float l = 0, r = 0;
                    if (left < TIPS) {
                        int base = tips[left * n + p];
                        l = base == UNKNOWN ? 1 : ml[base];
                    } else
                        for (int x = 0; x < BASES; x++)
                            l += ml[x] * partials[(((left - TIPS) * CLASSES + c) * n + p) * BASES + x];
                    if (right < TIPS) {
                        int base = tips[right * n + p];
                        r = base == UNKNOWN ? 1 : mr[base];
                    } else
                        for (int x = 0; x < BASES; x++)
                            r += mr[x] * partials[(((right - TIPS) * CLASSES + c) * n + p) * BASES + x];
                    all[c * BASES + s] = l * r;
                    largest = fmaxf(largest, l * r);
                }
            float inverse = 1 / largest;
            for (int c = 0; c < CLASSES; c++)
                for (int s = 0; s < BASES; s++)
                    partials[((node * CLASSES + c) * n + p) * BASES + s] = all[c * BASES + s] * inverse;
            scale[p] += logf(largest);
        }
    }
    double total = 0;
#pragma acc parallel loop async reduction(+ : total) present(partials[0:INNER * 16 * n], scale[0:n], weight[0:n], frequency[0:BASES])
#pragma omp parallel for reduction(+ : total)
    for (int p = 0; p < n; p++) {
        float site = 0;
        for (int c = 0; c < CLASSES; c++)
            for (int s = 0; s < BASES; s++)
                site += frequency[s] * partials[(((INNER - 1) * CLASSES + c) * n + p) * BASES + s];
        total += weight[p] * (logf(site / CLASSES) + scale[p]);
    }
#pragma acc wait
    return total;
}
#else
typedef struct { float of[BASES]; } vec;
typedef struct { vec row[BASES]; } matrix;

static inline float dot(const vec *a, const vec *b)
{
    return a->of[0] * b->of[0] + a->of[1] * b->of[1] + a->of[2] * b->of[2] + a->of[3] * b->of[3];
}

// What a child gives to one class of its parent: a column of the matrix if its base is known.
static inline vec from_tip(const matrix *m, unsigned char base)
{
    vec v;
    for (int s = 0; s < BASES; ++s)
        v.of[s] = base < UNKNOWN ? m->row[s].of[base] : 1.0f;
    return v;
}

static inline vec from_inner(const matrix *m, const vec *partial)
{
    vec v;
    for (int s = 0; s < BASES; ++s)
        v.of[s] = dot(&m->row[s], partial);
    return v;
}

static void prune(size_t n, unsigned node, unsigned left, unsigned right, unsigned char *tips, matrix *matrices, vec *partials, float *scale)
{
#define CHILD(k, c, p)                                                                               \
    ((k) < TIPS ? from_tip(&matrices[(k) * CLASSES + (c)], tips[(k) * n + (p)])                       \
                : from_inner(&matrices[(k) * CLASSES + (c)], &partials[(((k) - TIPS) * CLASSES + (c)) * n + (p)]))
#pragma acc kernels loop independent async(1)                                                        \
    present(tips[0:TIPS * n], matrices[0:NODES * CLASSES], partials[0:INNER * CLASSES * n], scale[0:n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
        vec all[CLASSES];
        float largest = 0.0f;
        for (unsigned c = 0; c < CLASSES; ++c) {
            vec l = CHILD(left, c, p), r = CHILD(right, c, p);
            for (int s = 0; s < BASES; ++s) {
                all[c].of[s] = l.of[s] * r.of[s];
                if (all[c].of[s] > largest)
                    largest = all[c].of[s];
            }
        }
        for (unsigned c = 0; c < CLASSES; ++c) {
            for (int s = 0; s < BASES; ++s)
                all[c].of[s] *= 1.0f / largest;
            partials[(node * CLASSES + c) * n + p] = all[c];
        }
        scale[p] += logf(largest);
    }
#undef CHILD
}

static double likelihood(size_t n, struct join *tree, unsigned char *tips, matrix *matrices, vec *partials, float *scale, float *weight,
                         vec *frequency)
{
    double total = 0;
#pragma acc kernels loop independent async(1) present(scale[0:n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p)
        scale[p] = 0.0f;
    for (unsigned node = 0; node < INNER; ++node)
        prune(n, node, tree[node].left, tree[node].right, tips, matrices, partials, scale);
    const vec *root = partials + (INNER - 1) * CLASSES * n;
#pragma acc parallel loop gang vector async(1) reduction(+ : total)                                  \
    present(root[0:CLASSES * n], scale[0:n], weight[0:n], frequency[0:1])
#pragma omp parallel for reduction(+ : total)
    for (size_t p = 0; p < n; ++p) {
        float site = 0;
        for (unsigned c = 0; c < CLASSES; ++c)
            site += dot(frequency, &root[c * n + p]);
        total += weight[p] * (logf(0.25f * site) + scale[p]);
    }
#pragma acc wait(1)
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATTERNS >> args.shift, open[TIPS], many = TIPS;
    unsigned char *tips = NEW(unsigned char, TIPS * n);
    float *matrices = NEW(float, NODES * 64), *partials = NEW(float, (size_t)INNER * 16 * n), *scale = NEW(float, n), *weight = NEW(float, n);
    float frequency[BASES] = {0.25f, 0.25f, 0.25f, 0.25f};
    struct join tree[INNER];
    double total = 0;
    for (int k = 0; k < TIPS; k++)
        open[k] = k;
    for (int node = 0; node < INNER; node++) {
        int a = mix(2 * node) % many, l = open[a];
        open[a] = open[--many];
        int b = mix(2 * node + 1) % many, r = open[b];
        open[b] = TIPS + node;
        tree[node] = (struct join){l, r};
    }
    for (int k = 0; k < NODES; k++)
        for (int c = 0; c < CLASSES; c++) {
            double time = (0.02 + 0.2 * number(k)) * (0.2 + 0.5 * c), slow = exp(-2 * time), fast = exp(-3 * time);
            for (int s = 0; s < BASES; s++)
                for (int x = 0; x < BASES; x++)
                    matrices[(k * CLASSES + c) * 16 + 4 * s + x] =
                        s == x ? 0.25 + 0.25 * slow + 0.5 * fast : s % 2 == x % 2 ? 0.25 + 0.25 * slow - 0.5 * fast : 0.25 - 0.25 * slow;
        }
    for (int p = 0; p < n; p++) {
        weight[p] = 1 + mix(p) % 4;
        for (int k = 0; k < TIPS; k++) {
            unsigned h = mix(p * TIPS + k) >> 8;
            tips[k * n + p] = h % 64 == 0 ? UNKNOWN : h % 5 == 0 ? h / 64 % 4 : mix(p) / 16 % 4;
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(tips[0:TIPS * n], matrices[0:NODES * 64], weight[0:n], frequency) create(partials[0:INNER * 16 * n], scale[0:n])
    while (lap(&t))
        total = likelihood(n, tree, tips, matrices, partials, scale, weight, frequency);
#else
    matrix *m = (matrix *)matrices;
    vec *v = (vec *)partials, *f = (vec *)frequency;
#pragma acc enter data copyin(tips[0:TIPS * n], m[0:NODES * CLASSES], weight[0:n], f[0:1]) create(v[0:INNER * CLASSES * n], scale[0:n])
    while (lap(&t))
        total = likelihood(n, tree, tips, m, v, scale, weight, f);
#endif
    report("phylogeny", t.best, total);
    return 0;
}
