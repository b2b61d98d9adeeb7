// Where 16 proteins may bind in a genome of 2^24 bases: sums of whole weights over the 12 bases from each place on
// both strands; for each protein how many places are above its threshold, and the best with its first place.
#include "../kernels.h"

enum { BASES = 1 << 24, MOTIFS = 16, WIDTH = 12, CHUNK = 8192, THRESHOLD = 600 };

typedef long long wide;

#if SPELLING == 1
static void scan(int n, const unsigned char *restrict base, const int *restrict weight, wide *restrict part,
                 int *restrict hits, wide *restrict best)
{
    int chunks = n / CHUNK;
#pragma acc data present(base[0:n + WIDTH], weight[0:MOTIFS * WIDTH * 4], part[0:MOTIFS * chunks]) \
    present(hits[0:MOTIFS], best[0:MOTIFS])
    {
#pragma acc parallel loop
        for (int m = 0; m < MOTIFS; m++)
            hits[m] = 0;
#pragma acc parallel loop gang collapse(2) vector_length(256)
#pragma omp parallel for collapse(2)
        for (int m = 0; m < MOTIFS; m++)
            for (int c = 0; c < chunks; c++) {
                int count = 0;
                wide most = 0;
#pragma acc loop vector reduction(+ : count) reduction(max : most)
                for (int i = c * CHUNK; i < (c + 1) * CHUNK; i++) {
                    int there = 0, back = 0;
                    for (int k = 0; k < WIDTH; k++) {
                        int b = base[i + k];
                        there += weight[(m * WIDTH + k) * 4 + b];
                        back += weight[(m * WIDTH + WIDTH - 1 - k) * 4 + 3 - b];
                    }
                    int score = there > back ? there : back;
                    wide key = (wide)(score + 10000) << 32 | (n - i);
                    count += (there >= THRESHOLD) + (back >= THRESHOLD);
                    most = key > most ? key : most;
                }
                part[m * chunks + c] = most;
#pragma acc atomic update
#pragma omp atomic
                hits[m] += count;
            }
#pragma acc parallel loop gang
        for (int m = 0; m < MOTIFS; m++) {
            wide most = 0;
#pragma acc loop vector reduction(max : most)
            for (int c = 0; c < chunks; c++)
                most = part[m * chunks + c] > most ? part[m * chunks + c] : most;
            best[m] = most;
        }
    }
}
#else
typedef int matrix[WIDTH][4];

#define COMPLEMENT(b) ((unsigned char)(3 ^ (b)))

#pragma acc routine seq
static int score_at(const unsigned char *at, const int (*w)[4], int *found)
{
    int there = 0, back = 0;
    for (const unsigned char *p = at, *q = at + WIDTH; q != at; ++w) {
        there += (*w)[*p++];
        back += (*w)[COMPLEMENT(*--q)];
    }
    *found += there >= THRESHOLD;
    *found += back >= THRESHOLD;
    return back > there ? back : there;
}

static void scan(unsigned long n, unsigned char *base, int *weights, wide *part, int *hits, wide *best)
{
    matrix *weight = (matrix *)weights;
    short scores[CHUNK];
#pragma acc kernels loop independent present(hits[0:MOTIFS], best[0:MOTIFS])
    for (unsigned m = 0; m < MOTIFS; ++m)
        hits[m] = 0, best[m] = 0;
#pragma acc parallel loop gang private(scores) present(base[0:n + WIDTH], weight[0:MOTIFS]) \
    present(part[0:MOTIFS * (n / CHUNK)], hits[0:MOTIFS])
#pragma omp parallel for private(scores)
    for (unsigned long task = 0; task < n / CHUNK * MOTIFS; ++task) {
        const unsigned long m = task % MOTIFS, first = task / MOTIFS * CHUNK;
        int count = 0, most = -10000, place = CHUNK;
#pragma acc loop vector reduction(+ : count) reduction(max : most)
        for (unsigned long i = 0; i < CHUNK; ++i) {
            scores[i] = score_at(base + first + i, weight[m], &count);
            if (scores[i] > most)
                most = scores[i];
        }
#pragma acc loop vector reduction(min : place)
        for (int i = 0; i < CHUNK; ++i)
            if (scores[i] == most && i < place)
                place = i;
        part[task] = (wide)(most + 10000) * 0x100000000 + (wide)(n - first - place);
#pragma acc atomic
#pragma omp atomic
        hits[m] += count;
    }
#pragma acc parallel loop vector vector_length(32) present(part[0:MOTIFS * (n / CHUNK)], best[0:MOTIFS])
    for (unsigned m = 0; m < MOTIFS; ++m)
        for (const wide *p = part + m; p < part + MOTIFS * (n / CHUNK); p += MOTIFS)
            if (*p > best[m])
                best[m] = *p;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, weight[MOTIFS * WIDTH * 4], hits[MOTIFS], parts = MOTIFS * (n / CHUNK);
    unsigned char *base = NEW(unsigned char, n + WIDTH);
    wide *part = NEW(wide, parts), best[MOTIFS];
    double sum = 0;
    for (int i = 0; i < n + WIDTH; i++)
        base[i] = mix(i) >> 7 & 3;
    for (int k = 0; k < MOTIFS * WIDTH * 4; k++)
        weight[k] = mix(k / 4) % 4 == (unsigned)k % 4 ? 80 + (int)(mix(k) % 60) : -(int)(mix(k) % 120);
#pragma acc enter data copyin(base[0:n + WIDTH], weight) create(part[0:parts], hits, best)
    struct watch t = watch(args.repeats);
    while (lap(&t))
        scan(n, base, weight, part, hits, best);
#pragma acc update self(hits, best)
    for (int m = 0; m < MOTIFS; m++)
        sum += (m + 1.0) * (hits[m] * 1000.0 + (double)(best[m] >> 32) * 100 + (double)(n - (best[m] & 0xffffffff)));
    report("motifs", t.best, sum);
    return 0;
}
