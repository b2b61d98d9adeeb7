// Loops of `kernels` whose bounds are variables of the program, next to stores of the same type, and addresses with such variables in their subscripts;
// and bounds that do change, by their name, by a pointer that leads to them, and as data of a directive.
// launches: 7
#include <stdio.h>

enum { N = 40 };
struct pixel { int r, g; };
static int n = N, m = 30, rows[N][N], *cells, bounds[2] = {N, 3};
int count = N, shared = 8;
static struct pixel in[N * N], out[N * N];
#pragma acc declare copyin(shared)

static void fill(int *p, int from)
{
#pragma acc kernels copy(p[0:N])
    for (int i = 0; i < count; i++)
        p[i] = from + i;
}

static void limited(int *p)
{
#pragma acc kernels copy(p[0:N])
    for (int i = 0; i < bounds[0]; i++) {
        p[i] = -i;
        if (i == 20)
            bounds[0] = 25;
    }
}

static void over_itself(int *p)
{
    // The device's copy of `m` is what the last element is stored to.
#pragma acc kernels copy(p[0:1], m)
    for (int i = 0; i < m; i++)
        p[0] = 12;
}

int main(void)
{
    int first[N] = {0}, second[N] = {0};
    cells = rows[0];
    for (int i = 0; i < N * N; i++)
        in[i] = (struct pixel){i % 7, i % 5};
    fill(first, 3);
#pragma acc kernels copy(cells[0:N * N])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            cells[i * N + j] = i * j;
#pragma acc kernels copyin(in) copyout(out)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < count; x++) {
            struct pixel s = {0, 0};
            for (int d = -1; d <= 1; d++) {
                const struct pixel *q = &in[(y + d < 0 ? 0 : y + d >= n ? n - 1 : y + d) * n + x];
                s.r += q->r;
                s.g += q->g;
            }
            out[y * n + x] = s;
        }
    limited(second);
    over_itself(&m);
    int steps = 0;
#pragma acc kernels copy(steps)
    for (int i = 0; i < shared; i++) {
        steps++;
        if (steps == 3)
            shared = 5;
    }
    int k = N, *changes = &k;
#pragma acc kernels copy(second)
    for (int i = 0; i < k; i++) {
        second[i] += 2;
        if (i == 9)
            *changes = 15;
    }
    long sums[5] = {0};
    for (int i = 0; i < N; i++) {
        sums[0] += first[i] * (i % 3 + 1);
        sums[1] += second[i] * (i % 3 + 1);
        for (int j = 0; j < N; j++)
            sums[2] += rows[i][j] * ((i + j) % 3 + 1);
    }
    for (int i = 0; i < N * N; i++)
        sums[3] += out[i].r * (i % 3 + 1) + out[i].g;
    printf("%ld %ld %ld %ld %d %d\n", sums[0], sums[1], sums[2], sums[3], steps, m);
}
