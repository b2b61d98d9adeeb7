// Edit distances of 16384 pairs of words of 48 letters, a row of the table at a time in a private array.
#include "../kernels.h"

enum { PAIRS = 1 << 14, LETTERS = 48 };

#if SPELLING == 1
static void distances(int n, const char *restrict a, const char *restrict b, int *restrict distance)
{
#pragma acc parallel loop present(a[0:n * LETTERS], b[0:n * LETTERS], distance[0:n])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        int row[LETTERS + 1];
        for (int j = 0; j <= LETTERS; j++)
            row[j] = j;
        for (int i = 1; i <= LETTERS; i++) {
            int before = row[0], letter = a[p * LETTERS + i - 1];
            row[0] = i;
            for (int j = 1; j <= LETTERS; j++) {
                int above = row[j], other = before + (letter != b[p * LETTERS + j - 1]);
                int least = above < row[j - 1] ? above + 1 : row[j - 1] + 1;
                row[j] = least < other ? least : other;
                before = above;
            }
        }
        distance[p] = row[LETTERS];
    }
}
#elif SPELLING == 3
#pragma acc routine seq
static inline int min3(int a, int b, int c)
{
    int m = a;
    if (b < m)
        m = b;
    if (c < m)
        m = c;
    return m;
}
static void distances(int n, char *s, char *t, int *dist)
{
    const int len = LETTERS;
#pragma acc parallel loop present(s[0:n * len], t[0:n * len], dist[0:n])
    for (int w = 0; w < n; w++) {
        const char *s1 = s + w * len, *s2 = t + w * len;
        int prev[LETTERS + 1], curr[LETTERS + 1];
        for (int j = 0; j <= len; j++)
            prev[j] = j;
        for (int i = 0; i < len; i++) {
            curr[0] = i + 1;
            for (int j = 0; j < len; j++) {
                int cost = s1[i] == s2[j] ? 0 : 1;
                curr[j + 1] = min3(prev[j + 1] + 1, curr[j] + 1, prev[j] + cost);
            }
            for (int j = 0; j <= len; j++)
                prev[j] = curr[j];
        }
        dist[w] = prev[len];
    }
}
#elif SPELLING == 4
static void distances(size_t n, const char *pa, const char *pb, int *restrict out)
{
    typedef char word[LETTERS];
    const word *a = (const word *)pa, *b = (const word *)pb;
#pragma acc kernels loop independent gang vector(64) present(a[0:n], b[0:n], out[0:n])
    for (size_t w = 0; w < n; ++w) {
        unsigned char d[LETTERS + 1];
        for (unsigned j = 0; j <= LETTERS; ++j)
            d[j] = j;
        for (unsigned i = 0; i < LETTERS; ++i) {
            unsigned char diagonal = d[0];
            d[0]++;
            for (unsigned j = 0; j < LETTERS; ++j) {
                unsigned best = diagonal + (a[w][i] != b[w][j]);
                diagonal = d[j + 1];
                best = d[j] + 1u < best ? d[j] + 1u : best;
                best = diagonal + 1u < best ? diagonal + 1u : best;
                d[j + 1] = best;
            }
        }
        out[w] = d[LETTERS];
    }
}
#else
#define LEAST(x, y) ((x) < (y) ? (x) : (y))

static void distances(size_t n, char (*a)[LETTERS], char (*b)[LETTERS], int *distance)
{
#pragma acc kernels present(a[0:n], b[0:n], distance[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
        short table[2][LETTERS + 1];
        unsigned now = 0;
        for (size_t j = 0; j <= LETTERS; ++j)
            table[0][j] = (short)j;
        for (size_t i = 0; i < LETTERS; ++i) {
            table[!now][0] = (short)(i + 1);
            for (size_t j = 0; j < LETTERS; ++j) {
                short change = table[now][j] + (a[p][i] == b[p][j] ? 0 : 1);
                short gap = LEAST(table[now][j + 1], table[!now][j]) + 1;
                table[!now][j + 1] = LEAST(change, gap);
            }
            now = !now;
        }
        distance[p] = table[now][LETTERS];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PAIRS >> args.shift, *distance = NEW(int, n);
    char *a = NEW(char, n *LETTERS), *b = NEW(char, n *LETTERS);
    double sum = 0;
    for (int k = 0; k < n * LETTERS; k++)
        a[k] = 'a' + mix(k) % 4, b[k] = mix(k + 7) % 3 ? a[k] : 'a' + mix(k + 11) % 4;
#pragma acc enter data copyin(a[0:n * LETTERS], b[0:n * LETTERS]) create(distance[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        distances(n, a, b, distance);
#else
        distances(n, (char (*)[LETTERS])a, (char (*)[LETTERS])b, distance);
#endif
    }
#pragma acc update self(distance[0:n])
    for (int p = 0; p < n; p++)
        sum += distance[p] * (1 + p % 7);
    report("edit", t.best, sum);
    return 0;
}
