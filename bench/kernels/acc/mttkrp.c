// A sparse tensor of 65536 slices with 1 to 127 numbers each times the Khatri-Rao product of two factors of 32 columns, float, as in a decomposition.
#include "../kernels.h"

enum { SLICES = 1 << 16, JS = 1 << 16, KS = 1 << 14, RANK = 32 };

#if SPELLING == 1
static void mttkrp(int n, int nnz, const int *restrict is, const int *restrict js, const int *restrict ks, const float *restrict value, const float *restrict b,
                   const float *restrict c, float *restrict m)
{
#pragma acc data present(is[0:nnz], js[0:nnz], ks[0:nnz], value[0:nnz], b[0:JS * RANK], c[0:KS * RANK], m[0:n * RANK])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < n * RANK; k++)
            m[k] = 0;
#pragma acc parallel loop collapse(2)
        for (int e = 0; e < nnz; e++)
            for (int r = 0; r < RANK; r++) {
                float add = value[e] * b[js[e] * RANK + r] * c[ks[e] * RANK + r];
#pragma acc atomic update
                m[is[e] * RANK + r] += add;
            }
    }
}
#else
struct entry { unsigned j, k; float value; };
typedef float row[RANK];

static void mttkrp(size_t n, size_t nnz, size_t *start, struct entry *entry, row *b, row *c, row *m)
{
#pragma acc parallel loop gang vector_length(32) present(start[0:n + 1], entry[0:nnz], b[0:JS], c[0:KS], m[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
#pragma acc loop vector
        for (size_t r = 0; r < RANK; ++r) {
            float s = 0;
#pragma acc loop seq
            for (size_t e = start[i]; e < start[i + 1]; ++e)
                s += entry[e].value * b[entry[e].j][r] * c[entry[e].k][r];
            m[i][r] = s;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SLICES >> args.shift, nnz = 0;
    size_t *start = NEW(size_t, n + 1);
    for (int i = 0; i < n; i++) {
        start[i] = nnz;
        nnz += 1 + mix(i) % 127;
    }
    start[n] = nnz;
    float *b = NEW(float, JS *RANK), *c = NEW(float, KS *RANK), *m = NEW(float, n *RANK);
    double sum = 0;
    FILL(b, JS * RANK, 1);
    FILL(c, KS * RANK, 2);
#pragma acc enter data copyin(b[0:JS * RANK], c[0:KS * RANK]) create(m[0:n * RANK])
#if SPELLING == 1
    int *is = NEW(int, nnz), *js = NEW(int, nnz), *ks = NEW(int, nnz);
    float *value = NEW(float, nnz);
    for (int i = 0; i < n; i++)
        for (int e = start[i]; e < (int)start[i + 1]; e++)
            is[e] = i;
    for (int e = 0; e < nnz; e++) {
        js[e] = mix(e + 3) % JS;
        ks[e] = mix(e + 70001) % KS;
        value[e] = (float)number(e);
    }
#pragma acc enter data copyin(is[0:nnz], js[0:nnz], ks[0:nnz], value[0:nnz])
#else
    struct entry *entry = NEW(struct entry, nnz);
    for (int e = 0; e < nnz; e++)
        entry[e] = (struct entry){mix(e + 3) % JS, mix(e + 70001) % KS, (float)number(e)};
#pragma acc enter data copyin(start[0:n + 1], entry[0:nnz])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        mttkrp(n, nnz, is, js, ks, value, b, c, m);
#else
        mttkrp(n, nnz, start, entry, (row *)b, (row *)c, (row *)m);
#endif
    }
#pragma acc update self(m[0:n * RANK])
    SUM(sum, m, n *RANK);
    report("mttkrp", t.best, sum);
    return 0;
}
