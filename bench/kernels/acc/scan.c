// Running sums of 2^22 ints in three phases: sums of parts of 64, running sums of these in 16 rounds, then within the parts.
#include "../kernels.h"

enum { ELEMENTS = 1 << 22, BLOCK = 64 };

#if SPELLING == 1
static void scan(int n, const int *restrict in, int *restrict part, int *restrict next, int *restrict out)
{
    int parts = n / BLOCK;
#pragma acc parallel loop async present(in[0:n], part[0:parts])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int s = 0;
        for (int k = 0; k < BLOCK; k++)
            s += in[p * BLOCK + k];
        part[p] = s;
    }
    for (int step = 1; step < parts; step *= 2) {
#pragma acc parallel loop async present(part[0:parts], next[0:parts])
#pragma omp parallel for simd
        for (int p = 0; p < parts; p++)
            next[p] = part[p] + (p >= step ? part[p - step] : 0);
        int *swap = part;
        part = next, next = swap;
    }
#pragma acc parallel loop async present(in[0:n], part[0:parts], out[0:n])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int s = p > 0 ? part[p - 1] : 0;
        for (int k = 0; k < BLOCK; k++) {
            s += in[p * BLOCK + k];
            out[p * BLOCK + k] = s;
        }
    }
#pragma acc wait
}
#elif SPELLING == 3
static void scan(int n, const int *in, int *part, int *next, int *out)
{
    const int blocks = n / BLOCK;
    const int(*rows)[BLOCK] = (const int(*)[BLOCK])in;
    int(*res)[BLOCK] = (int(*)[BLOCK])out;
    int *buffer[2] = {part, next}, which = 0;
#pragma acc parallel loop gang vector present(rows[0:blocks], part[0:blocks])
    for (int b = 0; b < blocks; b++) {
        int total = 0;
#pragma acc loop seq
        for (int t = 0; t < BLOCK; t++)
            total += rows[b][t];
        part[b] = total;
    }
    for (int offset = 1; offset < blocks; offset <<= 1) {
        int *src = buffer[which], *dst = buffer[1 - which];
#pragma acc parallel loop present(src[0:blocks], dst[0:blocks])
        for (int b = 0; b < blocks; b++) {
            if (b >= offset)
                dst[b] = src[b] + src[b - offset];
            else
                dst[b] = src[b];
        }
        which = 1 - which;
    }
    int *sums = buffer[which];
#pragma acc parallel loop gang vector present(rows[0:blocks], res[0:blocks], sums[0:blocks])
    for (int b = 0; b < blocks; b++) {
        int run = b ? sums[b - 1] : 0;
#pragma acc loop seq
        for (int t = 0; t < BLOCK; t++)
            res[b][t] = (run += rows[b][t]);
    }
}
#elif SPELLING == 4
static void scan(size_t n, int *in, int *part, int *next, int *out)
{
    size_t parts = n / BLOCK;
#pragma acc parallel loop gang vector_length(64) present(in, part) async(2)
    for (size_t p = 0; p < parts; p++) {
        int *block = in + p * BLOCK, sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (size_t k = 0; k < BLOCK; k++)
            sum += block[k];
        part[p] = sum;
    }
    for (size_t d = 1; d < parts; d *= 2) {
#pragma acc parallel loop present(part, next) async(2)
        for (size_t p = 0; p < parts; p++)
            next[p] = p < d ? part[p] : part[p] + part[p - d];
        int *t = part;
        part = next;
        next = t;
    }
#pragma acc parallel loop present(in, out) async(2)
    for (size_t p = 0; p < parts; p++) {
        out[p * BLOCK] = in[p * BLOCK];
        for (size_t k = p * BLOCK + 1; k < (p + 1) * BLOCK; k++)
            out[k] = out[k - 1] + in[k];
    }
#pragma acc parallel loop present(part, out) async(2)
    for (size_t k = BLOCK; k < n; k++)
        out[k] += part[k / BLOCK - 1];
#pragma acc wait(2)
}
#else
static void scan(size_t n, int *flat, int *part, int *next, int *result)
{
    size_t parts = n / BLOCK;
    int(*in)[BLOCK] = (int(*)[BLOCK])flat, (*out)[BLOCK] = (int(*)[BLOCK])result;
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) async present(in[0:parts][0:BLOCK], part[0:parts])
#pragma omp parallel for
    for (size_t p = 0; p < parts; p++) {
        int s = 0;
#pragma acc loop vector reduction(+ : s)
#pragma omp simd reduction(+ : s)
        for (size_t k = 0; k < BLOCK; k++)
            s += in[p][k];
        part[p] = s;
    }
    for (size_t step = 1; step < parts; step <<= 1) {
#pragma acc kernels loop independent async present(part[0:parts], next[0:parts])
#pragma omp parallel for simd
        for (size_t p = 0; p < parts; p++)
            next[p] = p < step ? part[p] : part[p] + part[p - step];
        int *swap = part;
        part = next, next = swap;
    }
#pragma acc parallel loop gang vector async present(in[0:parts][0:BLOCK], part[0:parts], out[0:parts][0:BLOCK])
#pragma omp parallel for
    for (size_t p = 0; p < parts; p++) {
        const int *from = in[p];
        int *to = out[p], s = p == 0 ? 0 : part[p - 1];
        for (size_t k = BLOCK; k-- > 0;)
            *to++ = s += *from++;
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift, parts = n / BLOCK;
    int *in = NEW(int, n), *out = NEW(int, n), *part = NEW(int, parts), *next = NEW(int, parts);
    double sum = 0;
    FILL(in, n, 10);
#pragma acc enter data copyin(in[0:n]) create(out[0:n], part[0:parts], next[0:parts])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        scan(n, in, part, next, out);
#pragma acc update self(out[0:n])
    SUM(sum, out, n);
    report("scan", t.best, sum);
    return 0;
}
