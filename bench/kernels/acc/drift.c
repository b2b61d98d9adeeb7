// Genetic drift with selection (Wright and Fisher) at 4096 loci of 1024 genes over 64 generations: each gene of the next generation is the favoured one by a
// hash that is below a threshold from its share in the last; how many there are in the end, when it was decided, and the diversity of each generation.
#include "../kernels.h"

enum { LOCI = 4096, GENES = 1024, GENERATIONS = 64 };

#if SPELLING == 1
static void drift(int loci, const int *restrict start, const int *restrict favour, int *restrict last, int *restrict decided, unsigned *restrict diversity)
{
#pragma acc data present(start[0:loci], favour[0:loci], last[0:loci], decided[0:loci], diversity[0:GENERATIONS])
    {
#pragma acc parallel loop
        for (int g = 0; g < GENERATIONS; g++)
            diversity[g] = 0;
#pragma acc parallel loop gang vector_length(128)
#pragma omp parallel for reduction(+ : diversity[0:GENERATIONS])
        for (int l = 0; l < loci; l++) {
            int count = start[l], when = GENERATIONS;
            unsigned seed = mix(l + 77);
            for (int g = 0; g < GENERATIONS; g++) {
                if (count == 0 || count == GENES) {
                    when = g;
                    break;
                }
                long long weighted = (long long)count * (1000 + favour[l]);
                unsigned threshold = (weighted << 32) / (weighted + 1000 * (GENES - count));
                int next = 0;
#pragma acc loop vector reduction(+ : next)
#pragma omp simd reduction(+ : next)
                for (int k = 0; k < GENES; k++)
                    next += mix(seed + g * GENES + k) < threshold;
                count = next;
#pragma acc atomic update
                diversity[g] += count * (GENES - count);
            }
            last[l] = count;
            decided[l] = when;
        }
    }
}
#else
struct locus { unsigned short start, last; short favour, decided; };
#define HASH(seed, generation, k) mix((seed) + (unsigned)((generation) * GENES + (k)))

#pragma acc routine seq
static unsigned share(unsigned long count, unsigned long favour)
{
    unsigned long weight = count * (1000 + favour);
    return (weight << 32) / (weight + 1000 * (GENES - count));
}

static void drift(unsigned long loci, struct locus *loci_, unsigned *diversity)
{
#pragma acc data present(loci_[0:loci], diversity[0:GENERATIONS])
    {
#pragma acc kernels
        for (unsigned long g = 0; g < GENERATIONS; ++g)
            diversity[g] = 0;
#pragma acc parallel num_workers(4) vector_length(32)
#pragma acc loop gang worker
#pragma omp parallel for reduction(+ : diversity[0:GENERATIONS])
        for (unsigned long l = 0; l < loci; ++l) {
            unsigned count = loci_[l].start, seed = mix(l + 77);
            int g;
            for (g = 0; g < GENERATIONS && count > 0 && count < GENES; ++g) {
                unsigned threshold = share(count, loci_[l].favour);
                count = 0;
#pragma acc loop vector reduction(+ : count)
#pragma omp simd reduction(+ : count)
                for (unsigned long k = 0; k < GENES; ++k)
                    if (HASH(seed, g, k) < threshold)
                        ++count;
#pragma acc atomic
                diversity[g] += count * (GENES - count);
            }
            loci_[l].last = count;
            loci_[l].decided = g;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int loci = LOCI >> args.shift;
    unsigned *diversity = NEW(unsigned, GENERATIONS);
    double sum = 0;
#pragma acc enter data create(diversity[0:GENERATIONS])
#if SPELLING == 1
    int *start = NEW(int, loci), *favour = NEW(int, loci), *last = NEW(int, loci), *decided = NEW(int, loci);
    for (int l = 0; l < loci; l++) {
        start[l] = 1 + mix(l) % (l % 8 == 0 ? 10 : GENES - 1);
        favour[l] = mix(l + 5) % 30;
    }
#pragma acc enter data copyin(start[0:loci], favour[0:loci]) create(last[0:loci], decided[0:loci])
#else
    struct locus *all = NEW(struct locus, loci);
    for (int l = 0; l < loci; l++)
        all[l] = (struct locus){1 + mix(l) % (l % 8 == 0 ? 10 : GENES - 1), 0, mix(l + 5) % 30, 0};
#pragma acc enter data copyin(all[0:loci])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        drift(loci, start, favour, last, decided, diversity);
#else
        drift(loci, all, diversity);
#endif
    }
#pragma acc update self(diversity[0:GENERATIONS])
    for (int g = 0; g < GENERATIONS; g++)
        sum += (1 + g % 5) * 0.001 * diversity[g];
#if SPELLING == 1
#pragma acc update self(last[0:loci], decided[0:loci])
    for (int l = 0; l < loci; l++)
        sum += last[l] + decided[l];
#else
#pragma acc update self(all[0:loci])
    for (int l = 0; l < loci; l++)
        sum += all[l].last + all[l].decided;
#endif
    report("drift", t.best, sum);
    return 0;
}
