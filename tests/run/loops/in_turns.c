// Tables of which two or three rows are used in turns, by a variable that goes back and forth, by the counter's lowest bit, by pointers
// that change places; loops of no, odd and unknown numbers of iterations; what alternates is read behind them; and variables that only
// look as if they alternated.
#include <stdio.h>

#define N 70
#define W 6

static int in[N], out[8][N];

static int by_flag(int seed, int steps)
{
    short table[2][W + 1];
    unsigned now = 0;
    for (int j = 0; j <= W; j++)
        table[0][j] = (short)(seed + j), table[1][j] = 0;
    for (int i = 0; i < steps; i++) {
        table[!now][0] = (short)i;
        for (int j = 0; j < W; j++)
            table[!now][j + 1] = table[now][j] + table[now][j + 1] * 3 - table[!now][j];
        now = !now;
    }
    return table[now][W] * 2 + (int)now;
}

static int by_difference(int seed, int steps)
{
    int table[2][W], from = 1, to = 0;
    for (int j = 0; j < W; j++)
        table[from][j] = seed - j, table[to][j] = 1;
    for (int i = steps; i > 0; i--) {
        for (int j = 0; j < W; j++)
            table[to][j] = table[from][(j + 1) % W] - i;
        from = 1 - from;
        to ^= 1;
    }
    return table[from][2] + 100 * from + 1000 * to;
}

static int by_counter(int seed, unsigned long steps)
{
    int table[2][W];
    for (int j = 0; j < W; j++)
        table[0][j] = seed + j, table[1][j] = -j;
    for (unsigned long i = 1; i <= steps; i++)
        for (int j = 0; j < W; j++)
            table[i & 1][j] = table[(i - 1) % 2][j] * 5 % 97 + (j ? table[i % 2][j - 1] : (int)i);
    return table[steps & 1][W - 1];
}

static int by_pointers(int seed, int steps)
{
    int one[W], other[W], *from = one, *to = other;
    for (int j = 0; j < W; j++)
        one[j] = seed * j, other[j] = j;
    for (int i = 0; i < steps; i++) {
        for (int j = 1; j < W; j++)
            to[j] = from[j - 1] + from[j] % 7;
        to[0] = from[W - 1] % 11;
        int *before = from;
        from = to;
        to = before;
    }
    return from[W - 1] * 3 + to[W - 1];
}

static int by_three(int seed, int steps)
{
    int a[W], b[W], c[W], *old = a, *now = b, *next = c;
    for (int j = 0; j < W; j++)
        a[j] = j, b[j] = seed + j, c[j] = 0;
    for (int i = 0; i < steps; i++) {
        for (int j = 0; j < W; j++)
            next[j] = 2 * now[j] - old[j] + now[(j + 1) % W] % 3;
        int *last = old;
        old = now;
        now = next;
        next = last;
    }
    return now[1] + 10 * old[2] + 100 * next[3];
}

static int by_four(int seed, int steps)
{
    int ring[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    for (int i = 0; i < steps; i++) {
        ring[i & 3][0] += seed + ring[(i + 3) & 3][1];
        ring[(i + 2) % 4][1] += ring[i % 4][0] % 5;
    }
    return ring[0][0] + 10 * ring[1][1] + 100 * ring[2][0] + 1000 * ring[3][1];
}

// Goes back and forth only in some iterations.
static int sometimes(int seed, int steps)
{
    int table[2][W] = {{0}}, now = 0;
    for (int i = 0; i < steps; i++) {
        for (int j = 0; j < W; j++)
            table[1 - now][j] = table[now][j] + seed + j;
        if ((seed + i) % 3)
            now = 1 - now;
    }
    return table[now][3] + now;
}

// Begins with what nobody knows; is set in the middle, too; counts on.
static int unknown(int seed, int steps)
{
    int table[3][W] = {{0}}, now = seed & 1, then = 0, ever = 0;
    for (int i = 0; i < steps; i++) {
        table[now][i % W] += i;
        then = 1;
        table[then][i % W] -= 3;
        then = 2 - now;
        table[then][i % W] += ever;
        now = !now;
        then = 0;
        ever = ever + 1;
    }
    return table[0][0] + 10 * table[1][1] + 100 * table[2][2] + now + then + ever;
}

int main(void)
{
    for (int k = 0; k < N; k++)
        in[k] = k * 37 % 53 - 11;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int k = 0; k < N; k++) {
        int steps = k % 9;
        out[0][k] = by_flag(in[k], steps) + by_flag(in[k], 5);
        out[1][k] = by_difference(in[k], steps) + by_difference(in[k], 6);
        out[2][k] = by_counter(in[k], steps) + by_counter(in[k], 7);
        out[3][k] = by_pointers(in[k], steps) + by_pointers(in[k], 3);
        out[4][k] = by_three(in[k], steps) + by_three(in[k], 8);
        out[5][k] = by_four(in[k], steps) + by_four(in[k], 10);
        out[6][k] = sometimes(in[k], steps);
        out[7][k] = unknown(in[k], steps);
    }
    for (int f = 0; f < 8; f++) {
        long sum = 0;
        for (int k = 0; k < N; k++)
            sum += (long)out[f][k] * (k + 1);
        printf("%d: %ld %d %d\n", f, sum, out[f][3], out[f][N - 1]);
    }
    return 0;
}
