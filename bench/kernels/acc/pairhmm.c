// How likely each of 1024 reads of 96 bases comes from each of 16 haplotypes of 128, float, as callers of variants ask:
// the forward sums of a pair of sequences over matches, insertions and deletions, a row after the other in private
// arrays.
#include "../kernels.h"

enum { READS = 1024, HAPLOTYPES = 16, READ = 96, HAPLOTYPE = 128 };

#define START 1e30f
#define OPEN 0.001f
#define EXTEND 0.1f

#if SPELLING == 1
static void forward(int reads, const unsigned char *restrict read, const float *restrict error,
                    const unsigned char *restrict haplotype, float *restrict result)
{
#pragma acc parallel loop gang vector collapse(2) vector_length(64) \
    present(read[0:reads * READ], error[0:reads * READ]) \
    present(haplotype[0:HAPLOTYPES * HAPLOTYPE], result[0:reads * HAPLOTYPES])
#pragma omp parallel for
    for (int r = 0; r < reads; r++)
        for (int h = 0; h < HAPLOTYPES; h++) {
            float match[HAPLOTYPE + 1], insert[HAPLOTYPE + 1], delete[HAPLOTYPE + 1], sum = 0;
            for (int j = 0; j <= HAPLOTYPE; j++) {
                match[j] = insert[j] = 0;
                delete[j] = START / HAPLOTYPE;
            }
            for (int i = 0; i < READ; i++) {
                int base = read[r * READ + i];
                float wrong = error[r * READ + i], m = match[0], x = insert[0], y = delete[0];
                match[0] = insert[0] = delete[0] = 0;
                for (int j = 1; j <= HAPLOTYPE; j++) {
                    float fits = base == haplotype[h * HAPLOTYPE + j - 1] ? 1 - wrong : wrong / 3;
                    float before = fits * ((1 - 2 * OPEN) * m + (1 - EXTEND) * (x + y));
                    m = match[j];
                    x = insert[j];
                    y = delete[j];
                    match[j] = before;
                    insert[j] = OPEN * m + EXTEND * x;
                    delete[j] = OPEN * match[j - 1] + EXTEND * delete[j - 1];
                }
            }
            for (int j = 1; j <= HAPLOTYPE; j++)
                sum += match[j] + insert[j];
            result[r * HAPLOTYPES + h] = log10f(sum) - log10f(START);
        }
}
#else
struct cell { float m, x, y; };

static inline float prior(unsigned char a, unsigned char b, float wrong)
{
    if (a == b)
        return 1.0f - wrong;
    return wrong * (1.0f / 3);
}

static struct cell next(struct cell corner, struct cell above, struct cell left, float fits)
{
    struct cell c;
    c.m = fits * (corner.m * (1 - 2 * OPEN) + (corner.x + corner.y) * (1 - EXTEND));
    c.x = above.m * OPEN + above.x * EXTEND;
    c.y = left.m * OPEN + left.y * EXTEND;
    return c;
}

static void forward(size_t reads, unsigned char *read, float *error, unsigned char *haplotype, float *result)
{
    const struct cell none = {0, 0, 0}, first = {0, 0, START / HAPLOTYPE};
#pragma acc kernels present(read[0:reads * READ], error[0:reads * READ], haplotype[0:HAPLOTYPES * HAPLOTYPE]) \
    present(result[0:reads * HAPLOTYPES])
    {
#pragma acc loop independent gang vector(128)
#pragma omp parallel for
        for (size_t pair = 0; pair < reads * HAPLOTYPES; ++pair) {
            const unsigned char *bases = read + pair / HAPLOTYPES * READ, *end = bases + READ;
            const unsigned char *others = haplotype + pair % HAPLOTYPES * HAPLOTYPE;
            const float *wrong = error + pair / HAPLOTYPES * READ;
            struct cell row[HAPLOTYPE], corner = first;
            for (unsigned j = 0; j < HAPLOTYPE; ++j)
                row[j] = first;
            for (; bases < end; ++bases, ++wrong) {
                struct cell left = none;
                for (unsigned j = 0; j < HAPLOTYPE; ++j) {
                    struct cell above = row[j];
                    left = next(corner, above, left, prior(*bases, others[j], *wrong));
                    row[j] = left;
                    corner = above;
                }
                corner = none;
            }
            float sum = 0;
            for (unsigned j = 0; j < HAPLOTYPE; ++j)
                sum += row[j].m + row[j].x;
            result[pair] = log10f(sum) - log10f(START);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int reads = READS >> args.shift, bases = reads * READ, letters = HAPLOTYPES * HAPLOTYPE, n = reads * HAPLOTYPES;
    unsigned char *read = NEW(unsigned char, bases), *haplotype = NEW(unsigned char, letters);
    float *error = NEW(float, bases), *result = NEW(float, n);
    double sum = 0;
    // the haplotypes are alike, and a read is a piece of one of them with some mistakes
    for (int k = 0; k < letters; k++)
        haplotype[k] = mix(mix(k) % 40 ? k % HAPLOTYPE : k) % 4;
    for (int r = 0; r < reads; r++)
        for (int i = 0, at = mix(r) % 24; i < READ; i++, at++) {
            int k = r * READ + i;
            error[k] = powf(10, -1 - 3 * (float)number(5 * k));
            at += mix(3 * k) % 200 == 0;
            read[k] =
                number(k) < error[k] ? mix(7 * k) % 4 : haplotype[mix(r + 9) % HAPLOTYPES * HAPLOTYPE + at % HAPLOTYPE];
        }
#pragma acc enter data copyin(read[0:bases], error[0:bases], haplotype[0:letters]) create(result[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        forward(reads, read, error, haplotype, result);
#pragma acc update self(result[0:n])
    SUM(sum, result, n);
    report("pairhmm", t.best, sum);
    return 0;
}
