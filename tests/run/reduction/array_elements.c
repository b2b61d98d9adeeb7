// Reductions of small arrays whose elements constants name: over gangs and lanes at once, over lanes inside of gangs, next to scalars, in
// branches, read in between, of two dimensions, with elements that an index chooses, and of the whole construct.
// launches: 7
#include <stdio.h>

enum { N = 3000, ROWS = 40 };
static int x[N];
static double y[N];

#define ADD(s, k, v) ((s)[k] += (v))

static void moments(const int *x, int n, long long sum[4])
{
    long long s[4] = {0, 0, 0, 0};
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s[0] += 1;
        s[1] += x[i];
        if (x[i] % 3 == 0)
            s[2] += x[i] * x[i];
        else
            s[3] -= x[i];
    }
    for (int k = 0; k < 4; k++)
        sum[k] = s[k];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 101 - 50, y[i] = i % 17 * 0.5;
    long long sum[4];
    moments(x, N, sum);
    printf("%lld %lld %lld %lld\n", sum[0], sum[1], sum[2], sum[3]);

    // Lanes inside of gangs, one array for both; it has values before.
    double re[3] = {1, 2, 3}, im[3] = {-1, -2, -3};
    int count = 0;
#pragma acc parallel loop gang reduction(+ : re, im, count) copyin(y)
    for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector reduction(+ : re, im, count)
        for (size_t j = 0; j < N / ROWS; j++) {
            for (int k = 0; k < 3; k++) {
                ADD(re, k, y[i * (N / ROWS) + j] * (k + 1));
                im[k] -= re[k] > 1e9 ? re[k] : y[j];
            }
            count++;
        }
    }
    printf("%g %g %g %g %g %g %d\n", re[0], re[1], re[2], im[0], im[1], im[2], count);

    // An array of each gang, which goes on with the sums behind the loop over lanes.
    static int least[ROWS], most[ROWS];
#pragma acc parallel loop gang copyin(x) copyout(least, most)
    for (int i = 0; i < ROWS; i++) {
        int range[2] = {1000, -1000};
#pragma acc loop worker vector reduction(min : range[0:1])
        for (int j = 0; j < N / ROWS; j++)
            range[0] = x[i * (N / ROWS) + j] < range[0] ? x[i * (N / ROWS) + j] : range[0];
        least[i] = range[0];
        int sums[2] = {i, -i};
#pragma acc loop vector reduction(+ : sums)
        for (int j = 0; j < N / ROWS; j++) {
            sums[0] += x[i * (N / ROWS) + j];
            sums[1] += 1;
        }
        sums[0] *= 2;
#pragma acc loop vector reduction(+ : sums)
        for (int j = 0; j < N / ROWS; j++)
            sums[j % 2 == 0 ? 0 : 1] += j;
        most[i] = sums[0] * 100 + sums[1];
    }
    int check = 0;
    for (int i = 0; i < ROWS; i++)
        check += least[i] * (i + 1) + most[i] * (i % 3);
    printf("%d\n", check);

    // Two dimensions, and other operators.
    int table[2][2] = {{0, 0}, {0, 0}};
    unsigned bits[2] = {0, ~0u};
#pragma acc parallel loop reduction(max : table) reduction(| : bits[0:1]) copyin(x)
    for (int i = 0; i < N; i++) {
        table[0][0] = x[i] > table[0][0] ? x[i] : table[0][0];
        table[1][1] = -x[i] > table[1][1] ? -x[i] : table[1][1];
        if (x[i] > 0)
            bits[0] |= 1u << x[i] % 32;
    }
    printf("%d %d %d %d %x %x\n", table[0][0], table[0][1], table[1][0], table[1][1], bits[0], bits[1]);

    // An index that the data chooses.
    int bins[5] = {10, 0, 0, 0, 0};
#pragma acc parallel loop reduction(+ : bins) copyin(x)
    for (int i = 0; i < N; i++)
        bins[(x[i] + 50) % 5]++;
    printf("%d %d %d %d %d\n", bins[0], bins[1], bins[2], bins[3], bins[4]);

    // On the construct itself.
    int gangs[2] = {0, 5};
#pragma acc parallel num_gangs(8) reduction(+ : gangs)
    {
        gangs[0] += 1;
        gangs[1] += 2;
    }
    printf("%d %d\n", gangs[0] > 0, gangs[1] - 2 * gangs[0]);

    // An array between scalars, in either order.
    int before = 1, pair[2] = {2, 3}, behind = 4, other[2] = {5, 6};
#pragma acc parallel loop reduction(+ : before, pair, behind, other) copyin(x)
    for (int i = 0; i < N; i++) {
        before += x[i];
        pair[0] += x[i] > 0;
        pair[1] += x[i] < 0;
        behind += x[i] == 7;
        other[1] -= x[i];
    }
    printf("%d %d %d %d %d %d\n", before, pair[0], pair[1], behind, other[0], other[1]);
    return 0;
}
