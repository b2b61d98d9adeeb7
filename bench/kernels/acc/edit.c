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
#if SPELLING == 1
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
