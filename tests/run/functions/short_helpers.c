// Short functions in kernels, called from one another, in every place a call can be; each call has variables of its own.
// launches: 3
#include <stdio.h>

enum { N = 200 };

struct point { double x, y; long tag; };

static double square(double x) { return x * x; }
static double norm(double x, double y) { return square(x) + square(y); }
static int next(int x) { x += 3; x %= 17; return x; }
static void add(int *to, int by) { *to += by; }
static void swap(int *a, int *b) { int c = *a; *a = *b; *b = c; }
static struct point make(int i) { struct point p = { i * 0.5, -i, i % 3 }; return p; }
static struct point turned(struct point p) { struct point q = { -p.y, p.x, p.tag + 1 }; p.x = 9; return q; }
static int table(int i) { int t[4] = { 2, 3, 5, 7 }; t[i & 3]++; return t[i & 3] + t[(i + 1) & 3]; }
static int total(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int steps(int n) { int k = 0; while (next(n) != n && k < 9) { n = next(n) + 1; k++; } return k; }
static int sign(int x) { if (x < 0) return -1; return x > 0; }
static int depth(int x) { return x > 0 ? 1 + depth(next(x) - 8) : 0; }
static int choose(int a, int b, int c) { return a ? b : c; }

int main(void)
{
    int a[N], b[N], c[N], counts[5] = { 0 }, shared[8];
    double d[N];
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 31 - 9;
        b[i] = c[i] = 0;
        d[i] = i * 0.25;
    }
#pragma acc parallel loop copyin(a) copy(b, c, d, counts)
    for (int i = 0; i < N; i++) {
        int x = a[i], y = i;
        swap(&x, &y);
        add(&x, next(y < 0 ? -y : y));
        struct point p = turned(turned(make(i)));
        d[i] = norm(d[i], p.x) + p.y + p.tag;
        b[i] = x + choose(sign(y), table(i), table(y & 7)) * 2;
        while (next(x) > 5)
            x = next(x) + 1;
        for (int k = next(0); k < next(next(1)); k++)
            c[i] += next(k) * (next(k + 1) && next(next(k)));
        c[i] += steps(x & 15) + depth(i % 11) + y;
#pragma acc atomic update
        counts[next(i) % 5] += next(2);
    }
    // Where all threads of a gang do the same.
#pragma acc parallel num_gangs(1) copyin(a) copyout(shared)
    {
        int own[8], x = next(4);
        for (int k = 0; k < 8; k++)
            own[k] = next(k) + x;
        swap(&own[0], &own[7]);
        add(&own[3], 40);
#pragma acc loop vector
        for (int k = 0; k < 8; k++)
            shared[k] = total(own, k) + table(k);
        add(&shared[2], total(shared, 2));
    }
    int sum = 0;
#pragma acc parallel loop gang worker reduction(+ : sum) copyin(a)
    for (int i = 0; i < N; i++) {
        int row = next(i);
#pragma acc loop vector reduction(+ : row)
        for (int k = 0; k < 40; k++)
            row += next(a[(i + k) % N] & 15) * sign(k - 20);
        sum += choose(i & 1, row, next(row & 31));
    }
    double all = 0;
    int bs = 0, cs = 0;
    for (int i = 0; i < N; i++) {
        all += d[i];
        bs += b[i] * (i % 5 + 1);
        cs += c[i] * (i % 7 + 1);
    }
    printf("%g %d %d %d\n", all, bs, cs, sum);
    for (int k = 0; k < 5; k++)
        printf("%d ", counts[k]);
    for (int k = 0; k < 8; k++)
        printf("%d ", shared[k]);
    printf("\n");
    return 0;
}
