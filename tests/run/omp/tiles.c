// Loops that directives make of others, in regions, on the host, and under other directives: the order of iterations is that of the new loops.
// cflags: -fopenmp
// expect-output: tiles.expect
// launches: 4
#include <omp.h>
#include <stdio.h>

enum { N = 10, M = 7 };

static int bound(void) { return 2 * M; }

/* The times at which the elements of a table are come to, by the host. */
static void on_host(int out[N][M], int size) {
    int time = 0;
    #pragma omp tile sizes(size + 1, 3)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; ++j) {
            if (j == 99)
                continue;
            out[i][j] = time++;
        }
    }
}

static void backwards(int *out) {
    int time = 0, i;
    #pragma omp reverse
    for (i = N - 1; i >= 0; i -= 3)
        out[i] = ++time;
    out[0] = i;
}

static void exchanged(int out[N][M]) {
    int time = 0, i, j;
    #pragma omp interchange
    for (i = 0; i != N; i++)
        for (j = M - 1; 0 < j; j--)
            out[i][j] = time++;
    out[0][0] = 100 * i + j;
    #pragma omp tile sizes(2)
    #pragma omp interchange permutation(2, 1)
    for (i = 0; i < 2; i++)
        for (j = 0; j < 5; j += 2)
            out[8 + i][j] += 1000 * time++;
}

static long sum(const int *a, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (long)a[i] * (i + 1);
    return sum;
}

int main(void) {
    int table[N][M] = {{0}}, line[N] = {0}, *p;
    on_host(table, 3);
    printf("%d %d %d %ld\n", table[0][3], table[4][0], table[9][6], sum(table[0], N * M));
    backwards(line);
    printf("%d %d %d %d %d\n", line[0], line[9], line[6], line[3], line[1]);
    exchanged(table);
    printf("%d %ld\n", table[0][0], sum(table[0], N * M));

    #pragma omp target map(tofrom: table)
    {
        int time = 0;
        #pragma omp tile sizes(4, 4)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                table[i][j] = time++;
        #pragma omp unroll partial(3)
        for (int i = 0; i < N; i++)
            table[i][0] += time;
        #pragma omp unroll full
        for (int i = 0; i < 4; i++)
            table[i][1]++;
    }
    printf("%d %d %d %ld\n", table[0][4], table[4][0], table[9][6], sum(table[0], N * M));

    int j, total = 0;
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: table) reduction(+: total)
    #pragma omp tile sizes(3, 2)
    for (int i = 1; i <= N; i++)
        for (j = bound() - 1; j >= M; j--) {
            table[i - 1][j - M] += 10 * i + j;
            total += i;
        }
    printf("%d %ld\n", total, sum(table[0], N * M));

    #pragma omp target parallel for map(tofrom: table)
    #pragma omp unroll partial(4)
    for (unsigned char i = 0; i < N; i++)
        table[i][2] *= 2;
    printf("%ld\n", sum(table[0], N * M));

    #pragma omp target map(tofrom: table)
    #pragma omp teams
    #pragma omp distribute
    #pragma omp unroll partial
    for (int i = 0; i < N; i++)
        #pragma omp parallel for
        #pragma omp tile sizes(2)
        #pragma omp tile sizes(3)
        for (int j = M; j > 0; j--)
            table[i][j - 1] += i;
    printf("%ld\n", sum(table[0], N * M));

    long last = 0;
    #pragma omp parallel for num_threads(3) lastprivate(p, last)
    #pragma omp tile sizes(4)
    for (p = table[0]; p < table[0] + N * M; p += 2) {
        *p += 1;
        last = p - table[0];
    }
    printf("%ld %ld %ld\n", last, (long)(p - table[0]), sum(table[0], N * M));

    unsigned count = 0;
    #pragma omp tile sizes(1000)
    for (int i = -2147483647 - 1; i < (1 << 30); i += 1 << 30)
        count++;
    #pragma omp tile sizes(2)
    for (int i = 5; i < 5; i++)
        count += 100;
    printf("%u\n", count);
    return 0;
}
