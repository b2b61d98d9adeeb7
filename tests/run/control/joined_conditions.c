// Conditions joined by && and ||, and sizes of numbers, in several spellings: branches, conditional operators, flags, functions.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

static int a[N], b[N], out[12][N];
static long wide[N], size[3][N];
static signed char small[N], sizes_of_small[N];

static int between(int x, int low, int high) { return low <= x && x < high; }

static void conditions(int n)
{
#pragma acc parallel loop copyin(a, b) copy(out)
    for (int i = 0; i < n; i++) {
        int x = a[i], y = b[i];
        out[0][i] = x >= 0 && x < y;
        out[1][i] = x < 0 || x >= y ? 0 : 1;
        out[2][i] = !(x < 0) && !(x >= y);
        out[3][i] = between(x, 0, y);
        int flag = 0;
        if (x >= 0)
            flag = x < y;
        out[4][i] = flag;
        flag = 1;
        if (!(x < 0))
            flag = x >= y;
        out[5][i] = !flag;
        _Bool first = x > 3, second = y != 0;
        out[6][i] = (first ? second : 0) + 2 * (first ? 1 : second) + 4 * (first ? 0 : second) + 8 * (first ? second : 1);
        // What the second operand does must not be done in vain.
        out[7][i] = y != 0 && x / y > 1;
        out[8][i] = (y == 0 || x % y == 0) && (x > 0 || y > 0) && x != y;
    }
}

static void sizes(unsigned n)
{
#pragma acc parallel loop copyin(a, wide, small) copy(out, size, sizes_of_small)
    for (unsigned i = 0; i < n; i++) {
        int x = a[i];
        out[9][i] = abs(x);
        out[10][i] = x < 0 ? -x : x;
        if (0 < x)
            out[11][i] = x;
        else
            out[11][i] = -x;
        size[0][i] = labs(wide[i]);
        size[1][i] = wide[i] >= 0 ? wide[i] : -wide[i];
        size[2][i] = 0 >= wide[i] ? 0 - wide[i] : wide[i];
        sizes_of_small[i] = small[i] < 0 ? -small[i] : small[i];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 31 % 47 - 20;
        b[i] = i * 17 % 29 - 8;
        wide[i] = (i - 150L) * 40000000000L;
        small[i] = i - 128;
    }
    a[7] = INT_MAX, a[8] = INT_MIN + 1;
    conditions(N);
    sizes(N);
    for (int v = 0; v < 12; v++) {
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += (long)out[v][i] * (1 + i % 13);
        printf("%d %ld\n", v, sum);
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += size[0][i] * 3 - size[1][i] + size[2][i] % 1000 + sizes_of_small[i];
    printf("%ld\n", sum);
    return 0;
}
