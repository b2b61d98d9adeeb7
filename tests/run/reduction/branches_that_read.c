// Branches that reduce what an element holds before the iteration changes it: in either arm, with other elements, as maxima, found in
// `kernels`, in loops over lanes inside of loops over gangs, in joined loops, and with atomic updates behind.
// launches: 10
#include <stdio.h>

enum { N = 97, M = 5 };

static int b[N], c[N], d[N], grid[N][M];
static double x[N];

static void start(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = i * 5 % 23;
        c[i] = i % 3;
        d[i] = i * 7 % 11;
        x[i] = i * 0.25;
        for (int j = 0; j < M; j++)
            grid[i][j] = (i * M + j) % 13;
    }
}

static void show(const char *what, double reduced)
{
    int ints = 0;
    double all = 0;
    for (int i = 0; i < N; i++) {
        ints = (ints * 3 + b[i] + 5 * d[i]) % 100003;
        all += x[i];
        for (int j = 0; j < M; j++)
            ints = (ints * 3 + grid[i][j]) % 100003;
    }
    printf("%s %g %d %g\n", what, reduced, ints, all);
    start();
}

int main(void)
{
    int n = N, u = 4;
    double e = 0, s = 0;
    start();
#pragma acc parallel loop reduction(+ : u) copy(b)
    for (int i = 0; i < n; i++) {
        if (i & 1)
            u += b[i];
        b[i] = i;
    }
    show("one arm", u);
#pragma acc parallel loop reduction(+ : u) copy(b) copyin(c)
    for (int i = 0; i < n; i++) {
        if (c[i])
            u += b[i];
        else
            u -= b[i] * 2;
        b[i] += c[i] * 2;
    }
    show("both arms", u);
#pragma acc parallel loop reduction(+ : u) copy(b, d) copyin(c)
    for (int i = 0; i < n; i++) {
        if (c[i])
            u += d[i] * b[i];
        d[i] = b[i];
        b[i] = 3;
    }
    show("two arrays", u);
    u = 0;
#pragma acc parallel loop reduction(max : u) copy(b) copyin(c)
    for (int i = 0; i < n; i++) {
        if (c[i] && b[i] > u)
            u = b[i];
        if (c[i] == 1)
            b[i] = 1000;
    }
    show("maximum", u);
#pragma acc kernels copy(x) copyin(c)
    for (int i = 0; i < n; i++) {
        if (c[i] == 2) {
            e = x[i];
            s += e;
        }
        x[i] = -1;
    }
    show("kernels", s);
#pragma acc parallel loop gang copy(grid) copyin(c) reduction(+ : u)
    for (int i = 0; i < n; i++)
#pragma acc loop vector reduction(+ : u)
        for (int j = 0; j < M; j++) {
            if (c[i])
                u += grid[i][j];
            grid[i][j] = j;
        }
    show("lanes", u);
#pragma acc parallel loop collapse(2) copy(grid) copyin(c) reduction(+ : u)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) {
            if (c[i] > 1)
                u += grid[i][j];
            grid[i][j] += 100;
        }
    show("joined", u);
#pragma acc parallel loop reduction(+ : u) copy(b) copyin(c)
    for (int i = 0; i < n; i++) {
        if (c[i])
            u += b[i];
#pragma acc atomic write
        b[i] = 7;
    }
    show("atomic", u);
    // A loop of each lane, and what lies one element further.
#pragma acc parallel loop reduction(+ : s) copy(x) copyin(c)
    for (int i = 0; i < n / 4; i++) {
        for (int k = 0; k < 3; k++)
            if (c[i])
                s += x[4 * i + k];
        x[4 * i + 1] = 0.5;
    }
    show("inner loop", s);
#pragma acc parallel loop reduction(+ : s) copy(x) copyin(c)
    for (int i = 0; i < n / 2; i++) {
        if (c[i])
            s += x[2 * i + 1];
        x[2 * i + 1] = x[2 * i];
    }
    show("neighbours", s);
    return 0;
}
