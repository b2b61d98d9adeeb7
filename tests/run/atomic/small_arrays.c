// Small arrays that are only updated atomically get a copy per gang on GPUs: the same sums by any spelling, for arrays of arrays,
// members of structs, several arrays at once, in loops of one level and of several, and beyond the section.
// launches: 11
#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, CENTRES = 8, DIMS = 4 };

#define AT(p, c, d) (p)[(c) * DIMS + (d)]

struct bin {
    int count;
    double sum[DIMS];
    unsigned mask;
};

struct tables {
    long before;
    int count[CENTRES];
    float sum[CENTRES][DIMS];
};

union both {
    int whole[2];
    unsigned parts[2];
};

#pragma acc routine seq
static void add(double *where, double what)
{
#pragma acc atomic update
    *where += what;
}

static void flat(int n, const int *restrict key, const float *restrict x, double *restrict sums, int *restrict counts)
{
#pragma acc parallel loop present(key[0:n], x[0:n], sums[0:CENTRES * DIMS], counts[0:CENTRES])
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < DIMS; d++) {
#pragma acc atomic update
            sums[key[i] * DIMS + d] += x[i] * d;
        }
#pragma acc atomic update
        counts[key[i]]++;
    }
}

static void rows(size_t n, int *key, float *x, double *p, int *counts)
{
    double(*sums)[DIMS] = (double(*)[DIMS])p;
#pragma acc parallel loop gang vector present(key[0:n], x[0:n], sums[0:CENTRES][0:DIMS], counts[0:CENTRES])
    for (size_t i = 0; i < n; i++) {
#pragma acc atomic
        counts[key[i]] += 1;
        for (size_t d = 0; d < DIMS; d++)
#pragma acc atomic update
            sums[key[i]][d] = sums[key[i]][d] + x[i] * d;
    }
}

static void functions(unsigned n, int *key, float *x, double *sums, int *counts)
{
#pragma acc parallel present(key[0:n], x[0:n], sums[0:32], counts[0:CENTRES]) vector_length(64)
    {
#pragma acc loop gang
        for (unsigned block = 0; block < n; block += 500) {
#pragma acc loop vector
            for (unsigned i = block; i < block + 500; i++) {
                for (unsigned d = 0; d < DIMS; d++)
                    add(&AT(sums, key[i], d), x[i] * d);
#pragma acc atomic update
                counts[key[i]]++;
            }
        }
    }
}

static void show(const char *name, int n, const double *sums, const int *counts)
{
    printf("%s:", name);
    for (int k = 0; k < n; k++)
        printf(" %.3f", sums[k]);
    for (int k = 0; k < n / DIMS; k++)
        printf(" %d", counts[k]);
    printf("\n");
}

int main(void)
{
    int *key = malloc(N * sizeof *key), counts[CENTRES] = {0};
    float *x = malloc(N * sizeof *x);
    double sums[CENTRES * DIMS] = {0};
    for (int i = 0; i < N; i++)
        key[i] = (i * 7 + i / 3) % CENTRES, x[i] = (i % 16) / 4.0f;
#pragma acc enter data copyin(key[0:N], x[0:N], sums, counts)
    flat(N, key, x, sums, counts);
    rows(N, key, x, sums, counts);
    functions(N, key, x, sums, counts);
#pragma acc update self(sums, counts)
    show("sums", CENTRES * DIMS, sums, counts);

    // Members: of structs in an array, and arrays in a struct, behind a pointer and not.
    struct bin bins[CENTRES] = {{0}};
    struct tables tables = {0}, *behind = calloc(1, sizeof *behind);
#pragma acc parallel loop present(key[0:N], x[0:N]) copy(bins)
    for (int i = 0; i < N; i++) {
        struct bin *b = &bins[key[i]];
#pragma acc atomic
        b->count++;
#pragma acc atomic
        b->mask |= 1u << (i % 32);
        for (int d = 0; d < DIMS; d++) {
#pragma acc atomic
            bins[key[i]].sum[d] -= x[i] + d;
        }
    }
#pragma acc parallel loop present(key[0:N], x[0:N]) copy(tables, behind[0:1])
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        tables.count[key[i]] += i % 3;
#pragma acc atomic
        tables.sum[key[i]][i % DIMS] += x[i];
#pragma acc atomic
        behind->count[key[i]] ^= i;
#pragma acc atomic
        behind->before++;
    }
    for (int c = 0; c < CENTRES; c++)
        printf("%d %u %.3f %.3f, %d %.3f %d\n", bins[c].count, bins[c].mask, bins[c].sum[0], bins[c].sum[3], tables.count[c],
               tables.sum[c][c % DIMS], behind->count[c]);
    printf("%ld\n", behind->before);

    // More than the section says: what is outside of it is updated all the same.
    int wide[4][16] = {{0}}, (*few)[16] = wide, narrow[64] = {0}, *some = narrow;
#pragma acc data copy(wide, narrow)
#pragma acc parallel loop present(key[0:N], few[0:2][0:16], some[0:8])
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        few[i % 4][key[i]]++;
#pragma acc atomic
        few[i % 64 / 16][i % 16] += 2;
#pragma acc atomic
        some[i % 64] += key[i];
    }
    for (int k = 0; k < 64; k++)
        printf("%d %d ", wide[k / 16][k % 16], narrow[k]);
    printf("\n");

    // Workers, and a loop over gangs with sequential rows.
    int w[3][5] = {{0}};
#pragma acc parallel loop gang copy(w) num_workers(4) vector_length(32)
    for (int i = 0; i < 40; i++)
#pragma acc loop worker
        for (int j = 0; j < 9; j++)
#pragma acc loop vector
            for (int k = 0; k < 11; k++) {
#pragma acc atomic
                w[(i + j) % 3][(j + k) % 5] += i * j - k;
            }
    for (int k = 0; k < 15; k++)
        printf("%d ", w[k / 5][k % 5]);
    printf("\n");

    // No copies: values that are looked at, two kinds of updates, members of unions, an array that is read as well, a large one.
    int order[4] = {0}, mixed[4] = {6, 6, 6, 6}, *seen = calloc(N, sizeof *seen), *large = calloc(N, sizeof *large);
    union both u = {{0, 0}};
#pragma acc parallel loop copy(order, mixed, u, seen[0:N])
    for (int i = 0; i < N; i++) {
        int mine;
#pragma acc atomic capture
        mine = order[i % 4]++;
        seen[mine * 4 + i % 4] = 1;
#pragma acc atomic
        mixed[i % 4] |= i % 8;
#pragma acc atomic
        mixed[i % 4] |= i % 4;
#pragma acc atomic
        u.whole[i % 2]++;
#pragma acc atomic
        u.parts[1 - i % 2] += 2;
    }
#pragma acc parallel loop copy(large[0:N]) present(key[0:N])
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        large[key[i] * 600]++;
    }
    int all = 0;
    for (int i = 0; i < N; i++)
        all += seen[i] + large[i] * (1 + i % 5);
    printf("%d %d %d %d %d %d %d\n", order[0], order[3], mixed[0], mixed[3], u.whole[0], u.whole[1], all);

    // A kernel without iterations for most of its gangs, and one whose updates are rare.
    int rare[CENTRES] = {0};
#pragma acc parallel loop gang vector num_gangs(50) copy(rare)
    for (int i = 0; i < 3; i++) {
#pragma acc atomic
        rare[i]--;
    }
#pragma acc parallel loop copy(rare) present(key[0:N])
    for (int i = 0; i < N; i++)
        if (i % 1000 == 7) {
#pragma acc atomic
            rare[key[i]] += i;
        }
    for (int c = 0; c < CENTRES; c++)
        printf("%d ", rare[c]);
    printf("\n");
#pragma acc exit data delete(key[0:N], x[0:N], sums, counts)
    return 0;
}
