// 2^20 records sorted by a key of 32 bits, four bits at a time: in each of eight passes the digits of parts of 128 are counted, running sums
// of all counts say where each part's digits begin, and the parts go there.
#include "../kernels.h"

enum { RECORDS = 1 << 20, PART = 128, BITS = 4, DIGITS = 1 << BITS, GROUP = 512 };

#if SPELLING == 1
// Running sums within groups of at most GROUP numbers, each without the number itself, and the sum of each group.
static void running_sums(int groups, int size, int *restrict count, int *restrict sums)
{
    int counts = groups * size;
#pragma acc parallel loop gang vector_length(GROUP) async(1) present(count[0:counts], sums[0:groups])
#pragma omp parallel for
    for (int g = 0; g < groups; g++) {
        int now[GROUP], next[GROUP];
#pragma acc loop vector
        for (int k = 0; k < size; k++)
            now[k] = count[g * size + k];
#pragma acc loop seq
        for (int step = 1; step < size; step *= 2) {
#pragma acc loop vector
            for (int k = 0; k < size; k++)
                next[k] = now[k] + (k >= step ? now[k - step] : 0);
#pragma acc loop vector
            for (int k = 0; k < size; k++)
                now[k] = next[k];
        }
#pragma acc loop vector
        for (int k = 0; k < size; k++)
            count[g * size + k] = k > 0 ? now[k - 1] : 0;
        sums[g] = now[size - 1];
    }
}

static void pass(int n, int shift, const unsigned *restrict key, const int *restrict value, unsigned *restrict key_out,
                 int *restrict value_out, int *restrict count, int *restrict sums)
{
    int parts = n / PART, counts = DIGITS * parts, groups = counts / GROUP;
#pragma acc parallel loop async(1) present(key[0:n], count[0:counts])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int many[DIGITS] = {0};
        for (int k = 0; k < PART; k++)
            many[key[p * PART + k] >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++)
            count[d * parts + p] = many[d];
    }
    running_sums(groups, GROUP, count, sums);
    running_sums(1, groups, sums, sums + groups);
#pragma acc parallel loop async(1) present(key[0:n], value[0:n], key_out[0:n], value_out[0:n], count[0:counts], sums[0:groups])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int at[DIGITS];
        for (int d = 0; d < DIGITS; d++)
            at[d] = count[d * parts + p] + sums[(d * parts + p) / GROUP];
        for (int k = 0; k < PART; k++) {
            unsigned x = key[p * PART + k];
            int to = at[x >> shift & (DIGITS - 1)]++;
            key_out[to] = x;
            value_out[to] = value[p * PART + k];
        }
    }
}

static void sort(int n, unsigned *key, int *value, unsigned *other_key, int *other_value, int *count, int *sums)
{
    for (int shift = 0; shift < 32; shift += 2 * BITS) {
        pass(n, shift, key, value, other_key, other_value, count, sums);
        pass(n, shift + BITS, other_key, other_value, key, value, count, sums);
    }
#pragma acc wait(1)
}
#else
struct record { unsigned key; int value; };

#define DIGIT(r) ((r).key >> shift & (DIGITS - 1))

static void sort(size_t n, struct record *a, struct record *b, int *count, int *sums)
{
    const size_t parts = n / PART, counts = DIGITS * parts, groups = counts / GROUP;
#pragma acc data present(a[0:n], b[0:n], count[0:counts], sums[0:groups])
    for (unsigned shift = 0; shift < 32; shift += BITS) {
        int(*table)[parts] = (int(*)[parts])count;
#pragma acc parallel loop gang vector async present(table[0:DIGITS])
#pragma omp parallel for
        for (size_t p = 0; p < parts; ++p) {
            const struct record *own = a + p * PART;
            unsigned short many[DIGITS];
            for (size_t d = 0; d < DIGITS; ++d)
                many[d] = 0;
            for (size_t k = 0; k < PART; ++k)
                many[DIGIT(own[k])] += 1;
            for (size_t d = 0; d < DIGITS; ++d)
                table[d][p] = many[d];
        }
#pragma acc parallel loop gang worker vector_length(32) async
#pragma omp parallel for
        for (size_t g = 0; g < groups; ++g) {
            int sum = 0;
#pragma acc loop vector reduction(+ : sum)
#pragma omp simd reduction(+ : sum)
            for (size_t k = g * GROUP; k < (g + 1) * GROUP; ++k)
                sum += count[k];
            sums[g] = sum;
        }
        // One gang, whose lanes add what is 1, 2, 4, ... places before.
#pragma acc parallel num_gangs(1) vector_length(256) async
        for (size_t step = 1; step < groups; step *= 2) {
            int next[RECORDS / PART * DIGITS / GROUP];
#pragma acc loop vector
            for (size_t g = 0; g < groups; ++g)
                next[g] = g < step ? sums[g] : sums[g] + sums[g - step];
#pragma acc loop vector
            for (size_t g = 0; g < groups; ++g)
                sums[g] = next[g];
        }
#pragma acc parallel loop gang vector async
#pragma omp parallel for
        for (size_t g = 0; g < groups; ++g) {
            int *at = count + g * GROUP, sum = g ? sums[g - 1] : 0;
            for (size_t k = 0; k < GROUP; ++k) {
                int here = at[k];
                at[k] = sum;
                sum += here;
            }
        }
#pragma acc kernels loop independent async present(table[0:DIGITS])
#pragma omp parallel for
        for (size_t p = 0; p < parts; ++p) {
            int at[DIGITS];
            for (size_t d = 0; d < DIGITS; ++d)
                at[d] = table[d][p];
            for (size_t k = p * PART; k < (p + 1) * PART; ++k)
                b[at[DIGIT(a[k])]++] = a[k];
        }
        struct record *swap = a;
        a = b, b = swap;
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = RECORDS >> args.shift, counts = n / PART * DIGITS, groups = counts / GROUP, *count = NEW(int, counts), *sums = NEW(int, groups + 1);
    double sum = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    unsigned *from = NEW(unsigned, n), *key = NEW(unsigned, n), *other_key = NEW(unsigned, n);
    int *value = NEW(int, n), *other_value = NEW(int, n);
    for (int k = 0; k < n; k++)
        from[k] = mix(k);
#pragma acc enter data copyin(from[0:n]) create(key[0:n], value[0:n], other_key[0:n], other_value[0:n], count[0:counts], sums[0:groups + 1])
    while (lap(&t)) {
#pragma acc parallel loop async(1) present(from[0:n], key[0:n], value[0:n])
#pragma omp parallel for simd
        for (int k = 0; k < n; k++)
            key[k] = from[k], value[k] = k;
        sort(n, key, value, other_key, other_value, count, sums);
    }
#pragma acc update self(key[0:n], value[0:n])
#else
    struct record *from = NEW(struct record, n), *a = NEW(struct record, n), *b = NEW(struct record, n);
    for (int k = 0; k < n; k++)
        from[k] = (struct record){mix(k), k};
#pragma acc enter data copyin(from[0:n]) create(a[0:n], b[0:n], count[0:counts], sums[0:groups + 1])
    while (lap(&t)) {
#pragma acc parallel loop async present(from[0:n], a[0:n])
#pragma omp parallel for simd
        for (int k = 0; k < n; k++)
            a[k] = from[k];
        sort(n, a, b, count, sums);
    }
#pragma acc update self(a[0:n])
#endif
    for (int k = 0; k < n; k++) {
#if SPELLING == 1
        unsigned x = key[k];
        int v = value[k];
#else
        unsigned x = a[k].key;
        int v = a[k].value;
#endif
        sum += ((double)x + v) * (1 + k % 1000) * 1e-6;
    }
    report("radix", t.best, sum);
    return 0;
}
