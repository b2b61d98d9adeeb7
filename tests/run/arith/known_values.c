// What the host sets to constants where it declares it, and what only looks like that.
#include <stdio.h>

enum { N = 40 };

static int in[N + 2][N + 2];

static int filter(void)
{
    const int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    double scale[4] = {0.5, 1.5, -2.5, 3.5};
    const float rate = 0.25f;
    int out[N][N], changed[2] = {1, 2}, late[2] = {3, 4}, given[2] = {5, 6}, copied[2] = {7, 8}, total = 0;
    float moved = 1.5f, again = 2.5f;
    changed[1] = 20;
    moved = moved + 1;
    int *p = given;
    p[0] = 50;
#pragma acc parallel loop collapse(2) copyin(in, weights, scale, late) copyout(out) copyin(changed, given) copy(copied)
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double s = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    s += weights[i][j] * in[y + i][x + j] + weights[j][i] * scale[(i + j) % 4];
            out[y][x] = (int)(s * rate * 4 + moved * again + changed[0] + changed[1] + late[1] + given[0] + scale[x % 4]);
            if (x == 0 && y == 0)
                copied[0] = 9;
        }
    late[1] = 40;
    again = 1;
#pragma acc parallel loop reduction(+ : total) copyin(late, scale, weights, copied)
    for (int x = 0; x < N; x++)
        total += late[1] + (int)(scale[1] * 2 + again * moved) + weights[2][2] * x + copied[0];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            total = (total * 3 + out[y][x]) % 1000003;
    return total;
}

// In a loop of the host, and changed by a kernel.
static int rounds(void)
{
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        int table[3] = {1, 10, 100}, counted[2] = {0, 0};
        float f = 0.5f;
        if (round == 1)
            f = 2;
#pragma acc parallel loop copyin(table) copy(counted) reduction(+ : sum)
        for (int i = 0; i < 9; i++) {
            sum += (int)(table[i % 3] * f) + table[0] + table[2];
            if (i == 8)
                counted[1] = table[1] + round;
        }
#pragma acc parallel loop copyin(counted) reduction(+ : sum)
        for (int i = 0; i < 4; i++)
            sum += counted[i % 2];
    }
    return sum;
}

// Members of structs: known, not constant, changed afterwards, handed out, copied as a whole.
struct inner {
    double weight;
    int width;
};
struct grid {
    long cells;
    struct inner near;
    int table[3];
};

static void widen(int *width) { *width = 7; }

static long members(long n)
{
    struct grid g = {n, {0.5, 3}, {1, 2, 3}}, changed = {n, {0.5, 3}, {1, 2, 3}}, handed = {n, {0.5, 3}, {1, 2, 3}}, copied;
    struct inner twice = {.weight = 1.5, .width = 2};
    int width = 4, moved = 4, one = n > 0;
    copied = g;
    copied.near.width = 6;
    changed.near.width = 5;
    changed.table[one] = 20;
    widen(&handed.near.width);
    if (n > 3)
        moved = 9;
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (long i = 0; i < g.cells; i++) {
        for (int k = 0; k < g.near.width; k++)
            sum += g.near.weight * (i + k) + g.table[k];
        for (int k = 0; k < changed.near.width + handed.near.width + copied.near.width; k++)
            sum += changed.table[k % 3];
        for (int k = 0; k < width; k++)
            sum += twice.weight * twice.width + moved;
    }
    return (long)sum;
}

// What a device has may be something else than what the host has.
static int created(void)
{
    int table[2] = {3, 4}, sum = 0;
#pragma acc data create(table)
    {
#pragma acc parallel loop present(table)
        for (int i = 0; i < 2; i++)
            table[i] = 30 + i;
#pragma acc parallel loop present(table) reduction(+ : sum)
        for (int i = 0; i < 2; i++)
            sum += table[i];
#pragma acc update self(table)
    }
    return sum + table[0];
}

int main(void)
{
    for (int y = 0; y < N + 2; y++)
        for (int x = 0; x < N + 2; x++)
            in[y][x] = (y * 7 + x * 5) % 23;
    printf("%d %d %d %ld\n", filter() % 100003, rounds(), created(), members(50));
    return 0;
}
